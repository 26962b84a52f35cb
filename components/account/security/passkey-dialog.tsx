'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { fieldProblems } from '@/components/data/problems';
import { useTell } from '@/components/data/use-tell';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { CodesDialog } from './codes-dialog';
import { factorCalls } from './factor-calls';
import { ProofDialog } from './proof-dialog';
import { useRefreshSecurity } from './security-queries';
import { useDeviceWords } from './use-device-words';
import { useFactorAct } from './use-factor-act';
import { useProof } from './use-proof';

/** Adds a passkey of this browser; recovery codes come with the first factor. */
export function PasskeyDialog({ needsPassword, onClose }: { needsPassword: boolean; onClose: () => void }) {
  const t = useTranslations('pages.factor');
  const problems = useTranslations('common.problems');
  const added = useTranslations('pages.security.added');
  const device = useDeviceWords();
  const tell = useTell();
  const refresh = useRefreshSecurity();
  const [name, setName] = useState(() => device(window.navigator.userAgent).words);
  const [nameError, setNameError] = useState<string>();
  const [codes, setCodes] = useState<string[]>();
  const proof = useProof({ needsPassword });
  const { act, isBusy, failure } = useFactorAct(proof, (error) => {
    const problem = fieldProblems(error).find(({ path }) => path === 'name');
    setNameError(problem?.message);
    return problem !== undefined;
  });

  async function add() {
    if (name.trim() === '') return setNameError(problems('required'));
    await act(async (given) => {
      const { recoveryCodes } = await factorCalls().addPasskey(name, given);
      tell.done(added('passkey', { name: name.trim() }));
      void refresh();
      if (recoveryCodes.length > 0) setCodes(recoveryCodes);
      else onClose();
    });
  }

  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  return (
    <ProofDialog
      title={t('passkey.title')}
      text={
        <>
          <p>{t('passkey.intro')}</p>
          <p className="text-text-2">{t('app.ends')}</p>
        </>
      }
      proof={proof}
      submitLabel={t('passkey.make')}
      isBusy={isBusy}
      failure={failure}
      onSubmit={add}
      onClose={onClose}
    >
      <Field label={t('passkey.name')} hint={t('passkey.nameHint')} error={nameError}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            autoFocus
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              setNameError(undefined);
            }}
          />
        )}
      </Field>
    </ProofDialog>
  );
}
