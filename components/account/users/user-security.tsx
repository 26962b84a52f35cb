'use client';

import { KeyRound, LifeBuoy, Lock, LogOut, ShieldOff, Smartphone, KeySquare, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import type { UserRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { Age } from '@/components/records/age';
import { DeleteDialog } from '@/components/records/delete-dialog';
import { FormSection } from '@/components/records/form-layout';
import { displayName } from '@/components/records/person';
import { Button } from '@/components/ui/button';
import { Glyph } from '@/components/ui/glyph';
import { Notice } from '@/components/ui/notice';
import { Tag } from '@/components/ui/parts';
import { ApiTokensSection } from '../security/api-tokens-section';
import { Loaded } from '@/components/records/loaded';
import { Row, Rows } from '@/components/ui/rows';
import { ofUser, useFactorState, useRefreshSecurity, type FactorState } from '../security/security-queries';
import { SessionsSection } from '../security/sessions-section';

/** What secures another person's account, for admins: to be looked at, reset and ended, never made. */
export function UserSecurity({ user }: { user: UserRecord }) {
  const t = useTranslations('pages.security');
  const query = useFactorState(user.id);
  const [isResetting, setResetting] = useState(false);
  return (
    <div className="max-w-[760px]">
      <FormSection id="second-factor" title={t('factor.title')} text={t('admin.text')}>
        <Loaded query={query} rows={3}>
          {(state) => <TheirFactor state={state} onReset={() => setResetting(true)} />}
        </Loaded>
      </FormSection>
      <SessionsSection whose={user.id} />
      <ApiTokensSection whose={user.id} />
      {isResetting && <ResetDialog user={user} onClose={() => setResetting(false)} />}
    </div>
  );
}

function TheirFactor({ state, onReset }: { state: FactorState; onReset: () => void }) {
  const t = useTranslations('pages.security');
  const { totp, passkeys, enabled } = state;
  return (
    <>
      <p role="status" className="text-table flex flex-wrap items-center gap-2">
        <Glyph kind={enabled ? 'done' : 'off'} />
        <span className="font-medium">{t(enabled ? 'factor.on' : 'factor.off')}</span>
        <span className="text-text-2">{t(enabled ? 'admin.onText' : 'admin.offText')}</span>
        {state.isRequired && <Tag tone="accent">{t('factor.requiredTag')}</Tag>}
      </p>
      {state.isRequired && !enabled && (
        <Notice tone="warn" icon={<TriangleAlert aria-hidden="true" />}>
          {t('admin.waits')}
        </Notice>
      )}
      {enabled && (
        <>
          <Rows label={t('factor.title')}>
            <Row
              icon={<Smartphone />}
              name={t('factor.app')}
              detail={
                <span>
                  {totp ? t.rich('factor.since', { age: () => <Age at={totp.since} /> }) : t('factor.appOff')}
                </span>
              }
            />
            <Row
              icon={<KeyRound />}
              name={t('factor.passkeys')}
              detail={
                <span className="break-words">
                  {t('admin.passkeys', {
                    count: passkeys.length,
                    names: passkeys.map(({ name }) => name).join(', '),
                  })}
                </span>
              }
            />
            <Row
              icon={<LifeBuoy />}
              name={t('factor.codes')}
              detail={<span>{t('factor.codesLeft', { count: state.recoveryCodesLeft })}</span>}
            />
          </Rows>
          <div>
            <Button variant="danger" onClick={onReset}>
              <ShieldOff className="size-4" aria-hidden="true" />
              {t('admin.reset')}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

function ResetDialog({ user, onClose }: { user: UserRecord; onClose: () => void }) {
  const t = useTranslations('pages.security.admin');
  const tell = useTell();
  const refresh = useRefreshSecurity();
  const name = displayName(user);

  async function reset() {
    await (await ready()).send('/api/second-factor', { method: 'DELETE', ...ofUser(user.id) });
    tell.done(t('done', { name }));
    await refresh();
  }
  return (
    <DeleteDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('resetTitle', { name })}
      text={t('resetText')}
      verification={user.username}
      confirmLabel={t('reset')}
      gone={[
        { icon: <Smartphone />, name: t('app') },
        { icon: <KeyRound />, name: t('passkeysGone') },
        { icon: <LifeBuoy />, name: t('codes') },
        { icon: <LogOut />, name: t('sessions') },
      ]}
      kept={[
        { icon: <Lock />, name: t('password') },
        { icon: <KeySquare />, name: t('tokens') },
      ]}
      onDelete={reset}
    />
  );
}
