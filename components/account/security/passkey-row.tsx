'use client';

import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Age } from '@/components/records/age';
import { Button } from '@/components/ui/button';
import { Tag } from '@/components/ui/parts';
import type { FactorAsk } from './factor-dialogs';
import { Row } from '@/components/ui/rows';
import type { PasskeyEntry } from './security-queries';

interface PasskeyRowProps {
  passkey: PasskeyEntry;
  /** The last factor of an account that must have one. */
  isPinned: boolean;
  onAsk: (ask: FactorAsk) => void;
}

export function PasskeyRow({ passkey, isPinned, onAsk }: PasskeyRowProps) {
  const t = useTranslations('pages.security.factor');
  const { id, name } = passkey;
  return (
    <Row
      icon={<KeyRound />}
      name={name}
      marks={
        <>
          <Tag>{t('passkey')}</Tag>
          {passkey.isBackedUp && <Tag>{t('synced')}</Tag>}
        </>
      }
      detail={
        <>
          <span>{t.rich('created', { age: () => <Age at={passkey.created} /> })}</span>
          <span>{passkey.lastUsed ? t.rich('used', { age: () => <Age at={passkey.lastUsed} /> }) : t('unused')}</span>
        </>
      }
      actions={
        <>
          <Button
            size="sm"
            variant="ghost"
            aria-label={t('renameOf', { name })}
            onClick={() => onAsk({ kind: 'rename', passkey: { id, name } })}
          >
            {t('rename')}
          </Button>
          <Button
            size="sm"
            disabled={isPinned}
            aria-label={t('removeOf', { name })}
            onClick={() => onAsk({ kind: 'remove', factor: { kind: 'passkey', id, name } })}
          >
            {t('remove')}
          </Button>
        </>
      }
    />
  );
}
