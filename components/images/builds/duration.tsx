'use client';

import { dateMs } from '@/components/data/dates';
import type { BuildRecord } from '@/components/data/types';
import { useNow } from '@/components/data/use-now';
import { formatSpan } from '@/components/records/format';

/** How long a build has taken so far, or took. */
export function Duration({ build }: { build: BuildRecord }) {
  const now = useNow();
  const from = dateMs(build.started);
  if (from === undefined) return '–';
  return formatSpan(Math.max(0, (dateMs(build.finished) ?? now) - from));
}
