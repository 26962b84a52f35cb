'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { CodesDialog } from './codes-dialog';
import { ProofDialog } from './proof-dialog';
import { useRefreshSecurity } from './security-queries';
import { useFactorAct } from './use-factor-act';
import { useProof } from './use-proof';

/** Makes new recovery codes in place of the old. */
export function NewCodesDialog({ needsPassword, onClose }: { needsPassword: boolean; onClose: () => void }) {
  const t = useTranslations('pages.security.newCodes');
  const refresh = useRefreshSecurity();
  const [codes, setCodes] = useState<string[]>();
  const proof = useProof({ needsPassword });
  const { act, isBusy, failure } = useFactorAct(proof);
  const make = () =>
    act(async (body) => {
      const path = '/api/second-factor/recovery-codes';
      const made = await (await ready()).send<{ recoveryCodes: string[] }>(path, { method: 'POST', body });
      setCodes(made.recoveryCodes);
      await refresh();
    });
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  return (
    <ProofDialog
      title={t('title')}
      text={<p>{t('text')}</p>}
      proof={proof}
      submitLabel={t('submit')}
      isBusy={isBusy}
      failure={failure}
      onSubmit={make}
      onClose={onClose}
    />
  );
}
