'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import type { SignInNeed } from './sign-in-need';
import { SignedOutCard } from './signed-out-card';

const EnrolFactor = dynamic(() => import('./enrol-factor').then((module) => module.EnrolFactor));
const SecondFactorForm = dynamic(() => import('./second-factor-form').then((module) => module.SecondFactorForm));

interface SignInRestProps {
  need: SignInNeed;
  /** Where to go once the log-in is done. */
  target: string;
  onRestart: (why: 'back' | 'expired') => void;
}

/** What follows the first factor of a log-in, whichever that was. */
export function SignInRest({ need, target, onRestart }: SignInRestProps) {
  const t = useTranslations('pages.factor');
  const router = useRouter();
  function goOn() {
    router.replace(target);
    router.refresh();
  }
  const expire = () => onRestart('expired');
  const back = (
    <Button variant="ghost" size="lg" className="mt-2 w-full" onClick={() => onRestart('back')}>
      {t('step.back')}
    </Button>
  );
  return (
    <SignedOutCard
      title={t(need.kind === 'code' ? 'step.title' : 'enrol.title')}
      text={need.kind === 'enrol' && t('enrol.text')}
    >
      {need.kind === 'code' ? (
        <div className="mt-1">
          <SecondFactorForm need={need} onDone={goOn} onExpired={expire} />
          {back}
        </div>
      ) : (
        <div className="mt-5">
          <EnrolFactor enrolmentToken={need.enrolmentToken} back={back} onDone={goOn} onExpired={expire} />
        </div>
      )}
    </SignedOutCard>
  );
}
