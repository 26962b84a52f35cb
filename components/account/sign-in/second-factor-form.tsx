'use client';

import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { fieldProblems, isToldElsewhere, messageOf, statusOf } from '@/components/data/problems';
import { Button } from '@/components/ui/button';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { CodeField } from '../fields/code-field';
import { finishByCode, signInByPasskey } from '../security/factor-calls';
import { PasskeyError } from '../security/passkey-ceremony';
import type { CodeNeed } from './sign-in-need';
import { usePasskeyTrouble, usePasskeyWords } from '../security/use-passkeys';

interface SecondFactorFormProps {
  need: CodeNeed;
  /** The pages are signed in. */
  onDone: () => void;
  /** The log-in waited for too long: it has to begin anew. */
  onExpired: () => void;
}

/** Asks for the second factor of a log-in, whichever of those that the account has. */
export function SecondFactorForm(props: SecondFactorFormProps) {
  const { factors } = props.need;
  const t = useTranslations('pages.factor');
  const isPasskeyUsable = usePasskeyTrouble() === undefined && factors.includes('passkey');
  const { way, choose, ...sending } = useSecondFactor(props);
  const { value, setValue, error, failure, isBusy } = sending;

  return (
    <form
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        void (way === 'passkey' ? sending.askPasskey() : sending.send(value));
      }}
    >
      <p className="text-text-2">{t(`step.${way === 'totp' ? 'app' : way === 'passkey' ? 'passkey' : 'recovery'}`)}</p>
      {way === 'totp' && (
        <CodeField value={value} error={error} onChange={setValue} onComplete={(code) => void sending.send(code)} />
      )}
      {way === 'recoveryCode' && (
        <Field label={t('recoveryCode')} hint={t('recoveryHint')} error={error}>
          {(control) => (
            <Input
              {...control}
              key={way}
              size="lg"
              isMono
              autoFocus
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
      )}
      {factors.includes('passkey') && !isPasskeyUsable && !factors.includes('totp') && (
        <p className="text-small text-text-3">{t('step.noPasskey')}</p>
      )}
      <div role="alert" className="empty:hidden">
        {failure && <FieldError>{failure}</FieldError>}
      </div>
      {way !== 'passkey' && (
        <Button type="submit" variant="primary" size="lg" isBusy={isBusy}>
          {t('confirm')}
        </Button>
      )}
      {isPasskeyUsable && (
        <Button
          type={way === 'passkey' ? 'submit' : 'button'}
          variant={way === 'passkey' ? 'primary' : 'default'}
          size="lg"
          {...(way !== 'passkey' && { onClick: () => void sending.askPasskey() })}
        >
          <KeyRound className="size-4" aria-hidden="true" />
          {t('step.usePasskey')}
        </Button>
      )}
      <div className="text-table flex flex-wrap justify-center gap-x-4 gap-y-1">
        {factors.includes('totp') && way !== 'totp' && (
          <SwitchButton onClick={() => choose('totp')}>{t('step.useApp')}</SwitchButton>
        )}
        {factors.includes('recoveryCode') && way !== 'recoveryCode' && (
          <SwitchButton onClick={() => choose('recoveryCode')}>{t('step.useRecovery')}</SwitchButton>
        )}
      </div>
    </form>
  );
}

function SwitchButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className="text-accent-text rounded-sm hover:underline" onClick={onClick}>
      {children}
    </button>
  );
}

type Way = 'totp' | 'passkey' | 'recoveryCode';

function useSecondFactor({ need, onDone, onExpired }: SecondFactorFormProps) {
  const t = useTranslations('common');
  const passkey = usePasskeyWords();
  const trouble = usePasskeyTrouble();
  const [chosen, setChosen] = useState<Way>();
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const first = need.factors.includes('totp') ? 'totp' : trouble === undefined ? 'passkey' : 'recoveryCode';

  async function attempt(work: () => Promise<void>) {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    setFailure(undefined);
    try {
      await work();
      onDone();
    } catch (thrown) {
      setBusy(false);
      tell(thrown);
    }
  }

  function tell(thrown: unknown) {
    const problems = fieldProblems(thrown);
    const wrong = problems.find(({ path }) => path === 'code');
    if (problems.some(({ path }) => path === 'pendingToken')) onExpired();
    else if (thrown instanceof PasskeyError) setFailure(passkey.ofError(thrown));
    else if (wrong) setError(wrong.message);
    else if (!isToldElsewhere(thrown)) setFailure(messageOf(thrown) ?? t('errors.general'));
  }

  return {
    way: chosen ?? first,
    choose(way: Way) {
      setChosen(way);
      setValue('');
      setError(undefined);
      setFailure(undefined);
    },
    value,
    setValue(typed: string) {
      setValue(typed);
      setError(undefined);
    },
    error,
    failure,
    isBusy,
    send: async (code: string) => {
      if (code.trim() === '') setError(t('problems.required'));
      else await attempt(() => finishByCode(need.pendingToken, code));
    },
    askPasskey: () =>
      attempt(() =>
        signInByPasskey().catch((thrown: unknown) => {
          throw statusOf(thrown) === 400 ? new PasskeyError('failed', '', thrown) : thrown;
        }),
      ),
  };
}
