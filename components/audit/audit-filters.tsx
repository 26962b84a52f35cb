'use client';

import { Activity, Clock, Shapes, UserRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useNow } from '@/components/data/use-now';
import { anyOf, fieldHas, fieldIs } from '@/components/records/search/filter-text';
import { fieldTerm } from '@/components/records/search/search-terms';
import type { ListFilter } from '@/components/records/list-types';
import { personChoices } from '@/components/records/record-choices';
import { AUDIT_GROUPS, AUDIT_OUTCOMES, type AuditGroup } from '@/lib/vocabulary/audit';

const HOUR_MS = 3_600_000;
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const;
type Span = keyof typeof SPANS;

const GROUPS = Object.keys(AUDIT_GROUPS) as AuditGroup[];

/** Person, kind of act, outcome and time span. */
export function useAuditFilters(): ListFilter[] {
  return [usePersonFilter(), useGroupFilter(), useOutcomeFilter(), useSpanFilter()];
}

function usePersonFilter(): ListFilter {
  const t = useTranslations('pages.audit');
  return {
    key: 'person',
    label: t('person'),
    icon: <UserRound aria-hidden="true" />,
    options: [],
    choices: personChoices(),
    toFilter: (value) => fieldIs('user', value),
  };
}

function useGroupFilter(): ListFilter {
  const t = useTranslations('pages.audit');
  return {
    key: 'group',
    label: t('kind'),
    icon: <Shapes aria-hidden="true" />,
    options: GROUPS.map((group) => ({ value: group, label: t(`groups.${group}`) })),
    toFilter: (value) => groupFilter(GROUPS.find((group) => group === value)),
  };
}

/** The acts of a group by their first words: shorter in the address than naming them all. */
function groupFilter(group: AuditGroup | undefined): string {
  const nouns = group ? [...new Set(AUDIT_GROUPS[group].map((action) => action.split('.')[0]!))] : [];
  if (nouns.length === 0) return fieldIs('action', '');
  return anyOf(nouns.map((noun) => fieldHas('action', `${noun}.%`)));
}

function useOutcomeFilter(): ListFilter {
  const t = useTranslations('pages.audit');
  return {
    key: 'outcome',
    label: t('outcome'),
    icon: <Activity aria-hidden="true" />,
    options: AUDIT_OUTCOMES.map((outcome) => ({ value: outcome, label: t(`outcomes.${outcome}`) })),
    term: fieldTerm('outcome'),
    toFilter: (value) => fieldIs('outcome', value),
  };
}

function useSpanFilter(): ListFilter {
  const t = useTranslations('pages.audit');
  const now = useNow();
  const spans = Object.keys(SPANS) as Span[];
  return {
    key: 'span',
    label: t('span'),
    icon: <Clock aria-hidden="true" />,
    options: spans.map((span) => ({ value: span, label: t(`spans.${span}`) })),
    toFilter(value) {
      const span = SPANS[spans.find((each) => each === value) ?? 'month'];
      // To the full step, so that the question stays the same for a while.
      const step = span === SPANS.hour ? 60_000 : HOUR_MS;
      const since = new Date(Math.floor((now - span) / step) * step);
      return `created >= '${since.toISOString().replace('T', ' ')}'`;
    },
  };
}
