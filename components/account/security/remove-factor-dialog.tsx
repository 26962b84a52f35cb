'use client';

import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { statusOf } from '@/components/data/problems';
import { useTell } from '@/components/data/use-tell';
import { ProofDialog } from './proof-dialog';
import { useRefreshSecurity } from './security-queries';
import { useFactorAct } from './use-factor-act';
import { useProof } from './use-proof';

/** A factor that is there: the authenticator app, or one of the passkeys. */
export type Factor = { kind: 'totp'; name: string } | { kind: 'passkey'; name: string; id: string };

interface RemoveFactorDialogProps {
  factor: Factor;
  /** With it the second factor is off. */
  isLast: boolean;
  needsPassword: boolean;
  onClose: () => void;
}

/** Removes a factor, by the password or a code. */
export function RemoveFactorDialog({ factor, isLast, needsPassword, onClose }: RemoveFactorDialogProps) {
  const t = useTranslations('pages.security.removal');
  const tell = useTell();
  const refresh = useRefreshSecurity();
  const proof = useProof({ needsPassword, takesCode: true });
  const { act, isBusy, failure } = useFactorAct(proof);
  const isApp = factor.kind === 'totp';
  const path = isApp ? '/api/second-factor/totp' : `/api/passkeys/${factor.id}`;
  const title = isApp ? t('appTitle') : t('passkeyTitle', { name: factor.name });

  const remove = () =>
    act(async (body) => {
      await (await ready()).send(path, { method: 'DELETE', body }).catch((error: unknown) => {
        // Removed elsewhere meanwhile: what was wanted is so.
        if (statusOf(error) !== 404) throw error;
      });
      tell.done(isLast ? t('offDone') : t('removed', { name: factor.name }));
      await refresh();
      onClose();
    });

  return (
    <ProofDialog
      title={isLast ? t('lastTitle') : title}
      text={
        <>
          <p>{t(isLast ? 'lastText' : isApp ? 'appText' : 'passkeyText')}</p>
          <p className="text-text-2">{t('ends')}</p>
        </>
      }
      proof={proof}
      submitLabel={t(isLast ? 'off' : 'remove')}
      isDanger
      isBusy={isBusy}
      failure={failure}
      onSubmit={remove}
      onClose={onClose}
    />
  );
}
