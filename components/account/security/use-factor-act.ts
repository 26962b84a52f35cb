'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { isToldElsewhere, messageOf } from '@/components/data/problems';
import type { Proof } from './factor-calls';
import { PasskeyError } from './passkey-ceremony';
import { usePasskeyWords } from './use-passkeys';
import type { ProofState } from './use-proof';

/** Does what a proof is needed for, and says what went wrong: at the proof's field, at `refuse`'s, or as a sentence. */
export function useFactorAct(proof: ProofState, refuse?: (error: unknown) => boolean) {
  const common = useTranslations('common.errors');
  const passkey = usePasskeyWords();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function act(work: (proof: Proof) => Promise<void>): Promise<void> {
    const given = proof.read();
    if (!given || isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await work(given);
    } catch (error) {
      if (proof.refuse(error) || refuse?.(error)) return;
      if (error instanceof PasskeyError) setFailure(passkey.ofError(error));
      else if (!isToldElsewhere(error)) setFailure(messageOf(error) ?? common('general'));
    } finally {
      setBusy(false);
    }
  }
  return { act, isBusy, failure };
}
