'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { fieldProblems, isToldElsewhere, messageOf } from '@/components/data/problems';
import type { FactorAdded, FactorCalls, NewTotp } from './factor-calls';

interface TotpSetupOptions {
  calls: FactorCalls;
  onAdded: (added: FactorAdded) => void;
  /** May take over what went wrong by returning true. */
  onFailed?: (error: unknown) => boolean;
}

/** The second half of setting up an authenticator app: a key was made, and a code has to confirm it. */
export function useTotpSetup({ calls, onAdded, onFailed }: TotpSetupOptions) {
  const common = useTranslations('common.errors');
  const [totp, setTotp] = useState<NewTotp>();
  const [code, setCode] = useState('');
  const [codeError, setCodeError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function confirm(typed: string) {
    if (isBusy) return;
    setBusy(true);
    setCodeError(undefined);
    setFailure(undefined);
    try {
      onAdded(await calls.confirmTotp(typed));
    } catch (error) {
      if (onFailed?.(error)) return;
      const problem = fieldProblems(error).find(({ path }) => path === 'code');
      if (problem) setCodeError(problem.message);
      else if (!isToldElsewhere(error)) setFailure(messageOf(error) ?? common('general'));
    } finally {
      setBusy(false);
    }
  }

  return {
    totp,
    show: setTotp,
    code,
    type(typed: string) {
      setCode(typed);
      setCodeError(undefined);
    },
    codeError,
    failure,
    isBusy,
    confirm,
  };
}

export type TotpSetup = ReturnType<typeof useTotpSetup>;
