'use client';

import { useTranslations } from 'next-intl';
import { formatBytes } from '@/components/records/format';

const FIELDS = [
  'name',
  'image',
  'host',
  'runtime',
  'gpus',
  'command',
  'arguments',
  'autoStart',
  'shmSize',
  'cpuLimit',
  'memoryLimit',
  'environmentVariables',
  'portMappings',
] as const;

/** Words for a setting and for its value, as the differences show them. */
export function useChangeWords() {
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  return {
    field: (name: string) => {
      const known = FIELDS.find((each) => each === name.split('.')[0]);
      const rest = name.split('.').slice(1).join('.');
      return rest || (known ? t(`labels.${known}`) : name);
    },
    value: (field: string, value: unknown): string => {
      if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return t('changed.none');
      if (typeof value === 'boolean') return value ? common('yes') : common('no');
      if (typeof value === 'number') {
        if (value === 0) return t('changed.none');
        return field === 'memoryLimit' || field === 'shmSize' ? formatBytes(value) : String(value);
      }
      if (typeof value === 'string') return value;
      return Array.isArray(value) ? value.map(itemText).join('\n') : JSON.stringify(value);
    },
  };
}

function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  if ('containerPort' in item) {
    const port = item as { containerPort: unknown; hostPort?: unknown; protocol?: unknown };
    return `${String(port.containerPort)} → ${String(port.hostPort || '*')}/${String(port.protocol ?? 'tcp')}`;
  }
  if ('name' in item) {
    const variable = item as { name: unknown; value?: unknown; secret?: unknown };
    return `${String(variable.name)}=${variable.secret ? '••••' : String(variable.value ?? '')}`;
  }
  return JSON.stringify(item);
}
