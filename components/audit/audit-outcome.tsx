'use client';

import { useTranslations } from 'next-intl';
import { StatusLine } from '@/components/records/status-line';
import type { AuditOutcome } from '@/lib/vocabulary/audit';

/** How it went: a mark and a word. */
export function AuditOutcomeLine({ outcome }: { outcome: AuditOutcome }) {
  const t = useTranslations('pages.audit.outcomes');
  return <StatusLine kind={outcome === 'success' ? 'up' : 'bad'} word={t(outcome)} />;
}
