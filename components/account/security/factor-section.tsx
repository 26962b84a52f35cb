'use client';

import { LifeBuoy, Plus, ShieldCheck, Smartphone } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Age } from '@/components/records/age';
import { FormSection } from '@/components/records/form-layout';
import { Button } from '@/components/ui/button';
import { Glyph } from '@/components/ui/glyph';
import { Notice } from '@/components/ui/notice';
import { Tag } from '@/components/ui/parts';
import { FactorDialogs, type FactorAsk } from './factor-dialogs';
import { Loaded } from '@/components/records/loaded';
import { PasskeyRow } from './passkey-row';
import { Row, Rows } from '@/components/ui/rows';
import { useFactorState, type FactorState } from './security-queries';
import { usePasskeyTrouble, usePasskeyWords } from './use-passkeys';

/** So few recovery codes are soon none. */
const FEW_CODES = 3;

/** One's own second factor: what there is of it, and all that can be done with it. */
export function FactorSection() {
  const t = useTranslations('pages.security.factor');
  const query = useFactorState();
  const [ask, setAsk] = useState<FactorAsk>();
  return (
    <FormSection id="second-factor" title={t('title')} text={t('text')}>
      <Loaded query={query} rows={3}>
        {(state) => (
          <>
            <OnOff state={state} />
            <Factors state={state} onAsk={setAsk} />
            {ask && <FactorDialogs ask={ask} state={state} onClose={() => setAsk(undefined)} />}
          </>
        )}
      </Loaded>
    </FormSection>
  );
}

function OnOff({ state }: { state: FactorState }) {
  const t = useTranslations('pages.security.factor');
  return (
    <>
      <p role="status" className="text-table flex items-center gap-2">
        <Glyph kind={state.enabled ? 'done' : 'off'} />
        <span className="font-medium">{t(state.enabled ? 'on' : 'off')}</span>
        <span className="text-text-2">{t(state.enabled ? 'onText' : 'offText')}</span>
      </p>
      {state.isRequired && (
        <Notice tone="accent" icon={<ShieldCheck aria-hidden="true" />}>
          {t('required')}
        </Notice>
      )}
    </>
  );
}

function Factors({ state, onAsk }: { state: FactorState; onAsk: (ask: FactorAsk) => void }) {
  const t = useTranslations('pages.security.factor');
  const { totp, passkeys } = state;
  const isPinned = state.isRequired && (totp ? 1 : 0) + passkeys.length === 1;
  return (
    <>
      <Rows label={t('title')}>
        <Row
          icon={<Smartphone />}
          name={t('app')}
          detail={<span>{totp ? t.rich('since', { age: () => <Age at={totp.since} /> }) : t('appOff')}</span>}
          actions={
            totp ? (
              <Button
                size="sm"
                disabled={isPinned}
                aria-label={t('removeOf', { name: t('app') })}
                onClick={() => onAsk({ kind: 'remove', factor: { kind: 'totp', name: t('app') } })}
              >
                {t('remove')}
              </Button>
            ) : (
              <Button size="sm" onClick={() => onAsk({ kind: 'totp' })}>
                {t('setUp')}
              </Button>
            )
          }
        />
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} isPinned={isPinned} onAsk={onAsk} />
        ))}
        {state.enabled && <CodesRow left={state.recoveryCodesLeft} onMake={() => onAsk({ kind: 'codes' })} />}
      </Rows>
      {isPinned && <p className="text-small text-text-3 -mt-2">{t('keepOne')}</p>}
      <AddPasskey isFirst={passkeys.length === 0} onAdd={() => onAsk({ kind: 'passkey' })} />
    </>
  );
}

function CodesRow({ left, onMake }: { left: number; onMake: () => void }) {
  const t = useTranslations('pages.security.factor');
  const isFew = left <= FEW_CODES;
  return (
    <Row
      icon={<LifeBuoy />}
      name={t('codes')}
      marks={isFew && <Tag tone="warn">{t('codesLeft', { count: left })}</Tag>}
      detail={<span>{isFew ? t('codesFew') : t('codesLeft', { count: left })}</span>}
      actions={
        <Button size="sm" onClick={onMake}>
          {t('newCodes')}
        </Button>
      }
    />
  );
}

function AddPasskey({ isFirst, onAdd }: { isFirst: boolean; onAdd: () => void }) {
  const t = useTranslations('pages.security.factor');
  const trouble = usePasskeyTrouble();
  const words = usePasskeyWords();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button disabled={trouble !== undefined} onClick={onAdd}>
        <Plus className="size-4" aria-hidden="true" />
        {t('addPasskey')}
      </Button>
      {(trouble || isFirst) && (
        <span className="text-small text-text-3 min-w-0 flex-1 basis-60">
          {trouble ? words.ofTrouble(trouble) : t('noPasskeys')}
        </span>
      )}
    </div>
  );
}
