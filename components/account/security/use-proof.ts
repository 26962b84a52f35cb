'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { fieldProblems } from '@/components/data/problems';
import type { Proof } from './factor-calls';

interface ProofOptions {
  /** Whoever logged in by a provider some minutes ago needs none. */
  needsPassword: boolean;
  /** A code of the second factor does as well. */
  takesCode?: boolean;
}

/** What is typed to prove that it is still the owner: the password, or a code where that will do. */
export function useProof({ needsPassword, takesCode = false }: ProofOptions) {
  const t = useTranslations('common.problems');
  const [isAsked, setAsked] = useState(needsPassword);
  const [way, setWay] = useState<'password' | 'code'>('password');
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();

  return {
    isAsked,
    takesCode,
    way,
    value,
    error,
    type(typed: string) {
      setValue(typed);
      setError(undefined);
    },
    switchWay() {
      setWay(way === 'password' ? 'code' : 'password');
      setValue('');
      setError(undefined);
    },
    /** What to send; undefined, and marked, while it is missing. */
    read(): Proof | undefined {
      if (!isAsked) return {};
      if (value.trim() !== '') return { [way]: value };
      setError(t('required'));
      return undefined;
    },
    /** Marks the field when a refusal is about it. The time in which none was needed may have run out meanwhile. */
    refuse(thrown: unknown): boolean {
      const problem = fieldProblems(thrown).find(({ path }) => path === 'password' || path === 'code');
      if (!problem) return false;
      setAsked(true);
      setError(problem.code === 'validation_invalid_password' ? t('incorrectPassword') : problem.message);
      return true;
    },
  };
}

export type ProofState = ReturnType<typeof useProof>;
