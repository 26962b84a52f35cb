'use client';

import { useTranslations } from 'next-intl';
import { useId, useMemo, useState } from 'react';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { CodesDialog } from './codes-dialog';
import { factorCalls } from './factor-calls';
import { ProofDialog } from './proof-dialog';
import { useRefreshSecurity } from './security-queries';
import { TotpForm } from './totp-form';
import { useFactorAct } from './use-factor-act';
import { useProof } from './use-proof';
import { useTotpSetup } from './use-totp-setup';

/** Sets up an authenticator app: the password, the key and its first code, and recovery codes with the first factor. */
export function TotpDialog({ needsPassword, onClose }: { needsPassword: boolean; onClose: () => void }) {
  const t = useTranslations('pages.factor');
  const added = useTranslations('pages.security.added');
  const common = useTranslations('common.actions');
  const formId = useId();
  const tell = useTell();
  const refresh = useRefreshSecurity();
  const calls = useMemo(() => factorCalls(), []);
  const [codes, setCodes] = useState<string[]>();
  const proof = useProof({ needsPassword });
  const { act, isBusy, failure } = useFactorAct(proof);
  const setup = useTotpSetup({
    calls,
    onAdded({ recoveryCodes }) {
      tell.done(added('app'));
      void refresh();
      if (recoveryCodes.length > 0) setCodes(recoveryCodes);
      else onClose();
    },
  });

  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  if (!setup.totp) {
    return (
      <ProofDialog
        title={t('app.title')}
        text={
          <>
            <p>{t('app.intro')}</p>
            <p className="text-text-2">{t('app.ends')}</p>
          </>
        }
        proof={proof}
        submitLabel={t('enrol.go')}
        isBusy={isBusy}
        failure={failure}
        onSubmit={() => act(async (given) => setup.show(await calls.startTotp(given)))}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('app.title')}
      closeLabel={common('close')}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={setup.isBusy}>
            {t('confirm')}
          </Button>
        </>
      }
    >
      <TotpForm id={formId} setup={setup} />
    </Dialog>
  );
}
