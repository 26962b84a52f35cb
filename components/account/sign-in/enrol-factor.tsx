'use client';

import { ChevronRight, KeyRound, Smartphone } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useMemo, useState, type ReactNode } from 'react';
import { keepSignIn } from '@/components/data/client';
import { isToldElsewhere, messageOf, statusOf } from '@/components/data/problems';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { factorCalls, type FactorAdded } from '../security/factor-calls';
import { PasskeyError } from '../security/passkey-ceremony';
import { RecoveryCodes } from '../security/recovery-codes';
import { TotpForm } from '../security/totp-form';
import { useDeviceWords } from '../security/use-device-words';
import { usePasskeyTrouble, usePasskeyWords } from '../security/use-passkeys';
import { useTotpSetup } from '../security/use-totp-setup';

interface EnrolFactorProps {
  enrolmentToken: string;
  /** Leads out of here, until there are recovery codes that would be lost. */
  back: ReactNode;
  onDone: () => void;
  onExpired: () => void;
}

/** Sets up the factor that a log-in needs and ends the log-in with it. */
export function EnrolFactor({ enrolmentToken, back, onDone, onExpired }: EnrolFactorProps) {
  const t = useTranslations('pages.factor');
  const formId = useId();
  const trouble = usePasskeyTrouble();
  const { setup, added, failure, isBusy, begin, addPasskey, goBack } = useEnrolment(enrolmentToken, onExpired);

  if (added) return <NewCodes added={added} onDone={onDone} />;
  if (setup.totp) {
    return (
      <div className="grid gap-3.5">
        <TotpForm id={formId} setup={setup} />
        <Button type="submit" form={formId} variant="primary" size="lg" isBusy={setup.isBusy}>
          {t('confirm')}
        </Button>
        <Button size="lg" onClick={goBack}>
          {t('enrol.other')}
        </Button>
        {back}
      </div>
    );
  }
  return (
    <div className="grid gap-2.5">
      <Way icon={<Smartphone />} name={t('enrol.app')} text={t('enrol.appText')} isBusy={isBusy} onClick={begin} />
      {trouble === undefined && (
        <Way
          icon={<KeyRound />}
          name={t('enrol.passkey')}
          text={t('enrol.passkeyText')}
          isBusy={isBusy}
          onClick={addPasskey}
        />
      )}
      <div role="alert">{failure && <FieldError>{failure}</FieldError>}</div>
      {back}
    </div>
  );
}

interface WayProps {
  icon: ReactNode;
  name: string;
  text: string;
  isBusy: boolean;
  onClick: () => Promise<void>;
}

function Way({ icon, name, text, isBusy, onClick }: WayProps) {
  const id = useId();
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-text`}
      className="border-line-strong shadow-control hover:bg-sunken flex w-full items-center gap-3 rounded-md border px-3.5 py-3 text-left"
      onClick={() => void onClick()}
    >
      <span aria-hidden="true" className="[&_svg]:text-accent-text [&_svg]:size-5">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span id={`${id}-name`} className="block font-medium">
          {name}
        </span>
        <span id={`${id}-text`} className="text-small text-text-3 block">
          {text}
        </span>
      </span>
      <ChevronRight className="text-text-3 size-4 shrink-0" aria-hidden="true" />
    </button>
  );
}

function NewCodes({ added, onDone }: { added: FactorAdded; onDone: () => void }) {
  const t = useTranslations('pages.factor');
  const common = useTranslations('common.errors');
  const [isSaved, setSaved] = useState(false);
  const [isMissed, setMissed] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function goOn() {
    setMissed(!isSaved);
    if (!isSaved || !added.token || !added.record) return;
    setBusy(true);
    try {
      await keepSignIn({ token: added.token, record: added.record });
      onDone();
    } catch (error) {
      setFailure(messageOf(error) ?? common('general'));
      setBusy(false);
    }
  }

  return (
    <div className="grid gap-3.5">
      <div role="status">
        <h2 className="font-semibold">{t('codes.title')}</h2>
        <p className="text-table text-text-2">{t('codes.text')}</p>
      </div>
      <RecoveryCodes
        codes={added.recoveryCodes}
        username={String(added.record?.['username'] ?? '')}
        isSaved={isSaved}
        isMissed={isMissed && !isSaved}
        onSaved={setSaved}
      />
      <div role="alert">{failure && <FieldError>{failure}</FieldError>}</div>
      <Button variant="primary" size="lg" isBusy={isBusy} onClick={() => void goOn()}>
        {t('enrol.go')}
      </Button>
    </div>
  );
}

function useEnrolment(enrolmentToken: string, onExpired: () => void) {
  const common = useTranslations('common.errors');
  const passkey = usePasskeyWords();
  const device = useDeviceWords();
  const calls = useMemo(() => factorCalls(enrolmentToken), [enrolmentToken]);
  const [added, setAdded] = useState<FactorAdded>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  function expire(error: unknown): boolean {
    const isOver = statusOf(error) === 401;
    if (isOver) onExpired();
    return isOver;
  }
  const setup = useTotpSetup({ calls, onAdded: setAdded, onFailed: expire });

  async function attempt(work: () => Promise<void>) {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      if (expire(error) || isToldElsewhere(error)) return;
      setFailure(error instanceof PasskeyError ? passkey.ofError(error) : (messageOf(error) ?? common('general')));
    } finally {
      setBusy(false);
    }
  }

  return {
    setup,
    added,
    failure,
    isBusy,
    begin: () => attempt(async () => setup.show(await calls.startTotp({}))),
    addPasskey: () =>
      attempt(async () => setAdded(await calls.addPasskey(device(window.navigator.userAgent).words, {}))),
    goBack: () => setup.show(undefined),
  };
}
