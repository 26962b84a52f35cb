'use client';

import { dateMs } from '@/components/data/dates';
import type { BuildRecord } from '@/components/data/types';
import { useNow } from '@/components/data/use-now';
import { useFormats } from '@/components/records/use-formats';

/** How long a build has taken so far, or took. */
export function Duration({ build }: { build: BuildRecord }) {
  const { span } = useFormats();
  const now = useNow();
  const from = dateMs(build.started);
  if (from === undefined) return '–';
  return span(Math.max(0, (dateMs(build.finished) ?? now) - from));
}
