'use client';

import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { SecondFactorForm } from './second-factor-form';
import { readSignInNeed, type CodeNeed } from './sign-in-need';

interface Asked {
  need: CodeNeed;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** Asks for the second factor in place, over the page. Rejects with what was refused where no code would help. */
export function useCodePrompt(): { finishSignIn: (refusal: unknown) => Promise<void>; prompt: ReactNode } {
  const t = useTranslations('pages.profile.password');
  const common = useTranslations('common.actions');
  const [asked, setAsked] = useState<Asked>();

  function finishSignIn(refusal: unknown): Promise<void> {
    const need = readSignInNeed(refusal);
    if (need?.kind !== 'code') return Promise.reject(refusal);
    return new Promise((resolve, reject) => setAsked({ need, resolve, reject }));
  }

  function end(asked: Asked, isDone: boolean) {
    setAsked(undefined);
    if (isDone) asked.resolve();
    else asked.reject(new Error('No second factor was given.'));
  }

  const prompt = asked && (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && end(asked, false)}
      title={t('codeTitle')}
      description={t('codeText')}
      closeLabel={common('close')}
    >
      <SecondFactorForm need={asked.need} onDone={() => end(asked, true)} onExpired={() => end(asked, false)} />
    </Dialog>
  );
  return { finishSignIn, prompt };
}
