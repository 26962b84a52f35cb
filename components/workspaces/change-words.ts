'use client';

import { useTranslations } from 'next-intl';
import { formatBytes } from '@/components/records/format';
import { labelOf } from './field-labels';
import { isBytes } from './workspace-schema';

/** A setting that is not what was deployed. */
export interface SettingChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** Words for a setting and for its value, as the differences show them. */
export function useChangeWords() {
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  return {
    field: (name: string) => {
      const [first = '', ...rest] = name.split('.');
      return rest.join('.') || labelOf(t, first) || name;
    },
    /** Of a list, only what the other one lacks. */
    value: (field: string, value: unknown, other: unknown): string => {
      if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
        return t('changed.none');
      if (typeof value === 'boolean') return value ? common('yes') : common('no');
      if (typeof value === 'number') {
        if (value === 0) return t('changed.none');
        return isBytes(field) ? formatBytes(value) : String(value);
      }
      if (typeof value === 'string') return value;
      if (Array.isArray(value))
        return field === 'command'
          ? value.join(' ')
          : differing(value, other).map(itemText).join('\n') || t('changed.none');
      return imageText(value) ?? JSON.stringify(value);
    },
  };
}

/** The items that the other list lacks; all of them where masking hides what differs. */
function differing(items: unknown[], other: unknown): unknown[] {
  if (!Array.isArray(other)) return items;
  const known = new Set(other.map((item) => JSON.stringify(item)));
  const own = items.filter((item) => !known.has(JSON.stringify(item)));
  return own.length > 0 || items.length < other.length ? own : items;
}

/** An image as a deployment names it: its reference, and the beginning of the build's id. */
function imageText(value: object): string | undefined {
  if (!('reference' in value) || typeof value.reference !== 'string') return undefined;
  const id = 'id' in value && typeof value.id === 'string' ? value.id.replace('sha256:', '').slice(0, 12) : '';
  return id ? `${value.reference}\n${id}` : value.reference;
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
