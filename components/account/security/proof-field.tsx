'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { useViewer } from '@/components/data/session-provider';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { PasswordField } from '../fields/password-field';
import { useHasProvider } from './security-queries';
import type { ProofState } from './use-proof';

/** The field of `useProof`; not there while no proof is asked for. */
export function ProofField({ proof, isFirst }: { proof: ProofState; isFirst?: boolean }) {
  const t = useTranslations('pages.security.proof');
  const frame = useRef<HTMLDivElement>(null);
  const hasProvider = useHasProvider(useViewer().id);
  const { error } = proof;
  useEffect(() => {
    if (error) frame.current?.querySelector('input')?.focus();
  }, [error]);
  if (!proof.isAsked) return null;
  const onChange = (event: { target: { value: string } }) => proof.type(event.target.value);
  return (
    <div ref={frame} className="max-w-80 max-sm:max-w-none">
      {proof.way === 'password' ? (
        <PasswordField
          size="md"
          label={t('password')}
          hint={hasProvider ? t('provider') : t('hint')}
          autoComplete="current-password"
          autoFocus={isFirst}
          error={error}
          value={proof.value}
          onChange={onChange}
        />
      ) : (
        <Field label={t('code')} error={error}>
          {(control) => (
            <Input
              {...control}
              isMono
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus
              value={proof.value}
              onChange={onChange}
            />
          )}
        </Field>
      )}
      {proof.takesCode && (
        <button
          type="button"
          className="text-small text-accent-text mt-1.5 rounded-sm hover:underline"
          onClick={proof.switchWay}
        >
          {t(proof.way === 'password' ? 'useCode' : 'usePassword')}
        </button>
      )}
    </div>
  );
}
