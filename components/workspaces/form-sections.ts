'use client';

import { useTranslations } from 'next-intl';
import type { FormSectionItem } from '@/components/records/form-layout';
import { labelOf } from './field-labels';
import { SECTION_OF } from './workspace-schema';

const SECTIONS = [...new Set(Object.values(SECTION_OF))];
const fieldsOf = (section: string) =>
  Object.entries(SECTION_OF).flatMap(([field, its]) => (its === section ? [field] : []));

/** The sections of the workspace form with their marks, and the words of its fields. */
export function useFormSections(): {
  sections: (isWrong: (...fields: string[]) => boolean) => FormSectionItem[];
  labelOf: (path: string) => string;
} {
  const t = useTranslations('pages.workspaces');
  const sections = (isWrong: (...fields: string[]) => boolean) =>
    SECTIONS.map((id) => ({ id, label: t(`sections.${id}`), isWrong: isWrong(...fieldsOf(id)) }));
  function labelOfPath(path: string): string {
    const [first = '', row, ...rest] = path.split('.');
    const last = rest.at(-1) ?? first;
    const field = first === 'environmentVariables' && last === 'name' ? 'variable' : last;
    const label = labelOf(t, field) ?? labelOf(t, first) ?? path;
    return rest.length > 0 ? t('labels.inRow', { label, row: Number(row) + 1 }) : label;
  }
  return { sections, labelOf: labelOfPath };
}
