'use client';

import { useTranslations } from 'next-intl';
import type { FormSectionItem } from '@/components/records/form-layout';

/** The fields of each section, as the form orders them. */
const SECTIONS = {
  basics: ['name', 'description', 'host', 'image'],
  ports: ['portMappings'],
  environment: ['environmentVariables'],
  start: ['command', 'arguments', 'autoStart', 'cpuLimit', 'memoryLimit', 'shmSize'],
} as const;
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
export function useFormSections(): {
  sections: (isWrong: (...fields: string[]) => boolean) => FormSectionItem[];
  labelOf: (path: string) => string;
} {
  const t = useTranslations('pages.workspaces');
  const sections = (isWrong: (...fields: string[]) => boolean) =>
    (Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]).map((id) => ({
      id,
      label: t(`sections.${id}`),
      isWrong: isWrong(...SECTIONS[id]),
    }));
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
