'use client';

import { useTranslations } from 'next-intl';
import type { FormSectionItem } from '@/components/records/form-layout';
import type { FormProblem } from '@/components/records/form-problems';

const sectionOfField: Record<string, string> = {
  portMappings: 'ports',
  environmentVariables: 'environment',
  command: 'start',
  arguments: 'start',
  autoStart: 'start',
  cpuLimit: 'start',
  memoryLimit: 'start',
  shmSize: 'start',
};
const SECTIONS = ['basics', 'ports', 'environment', 'start'] as const;
const FIELDS = [
  'name',
  'description',
  'host',
  'image',
  'command',
  'arguments',
  'autoStart',
  'cpuLimit',
  'memoryLimit',
  'shmSize',
  'containerPort',
  'hostPort',
  'hostIp',
  'protocol',
  'value',
  'portMappings',
  'environmentVariables',
] as const;

/** The sections of the workspace form with their marks, and the words of its fields. */
export function useFormSections(problems: FormProblem[]): {
  sections: FormSectionItem[];
  labelOf: (path: string) => string;
} {
  const t = useTranslations('pages.workspaces');
  const wrong = new Set(problems.map(({ path }) => sectionOfField[path.split('.')[0] ?? ''] ?? 'basics'));
  const sections = SECTIONS.map((id) => ({ id, label: t(`sections.${id}`), isWrong: wrong.has(id) }));
  function labelOf(path: string): string {
    const parts = path.split('.');
    const last = parts.at(-1) ?? '';
    const field = FIELDS.find((each) => each === last) ?? FIELDS.find((each) => each === parts[0]);
    const label = field
      ? t(`labels.${parts[0] === 'environmentVariables' && last === 'name' ? 'variable' : field}`)
      : path;
    return parts.length > 2 ? t('labels.inRow', { label, row: Number(parts[1]) + 1 }) : label;
  }
  return { sections, labelOf };
}
