'use client';

import { useTranslations } from 'next-intl';
import { useFormats } from '@/components/records/use-formats';
import { labelOf } from './field-labels';
import { isBytes } from './amounts';
import { useResourceNames } from './use-resource-names';
import type { GpuRequest, HealthCheck } from '@/lib/vocabulary/workspace';

/** A check as a deployment has it. */
type HealthCheckSpec = Pick<NonNullable<HealthCheck>, 'command' | 'retries'> &
  Record<'intervalMs' | 'timeoutMs' | 'startMs', number>;

/** An address as a deployment has it. */
interface RouteItem {
  scheme: string;
  hostName: string;
  port: number;
  protection: { kind: string; users?: { name: string }[] };
}

/** A setting that is not what was deployed. */
export interface SettingChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** Words for settings and for their values, as the differences show them. */
export function useChangeWords(changes: readonly SettingChange[] = []) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  const names = useResourceNames(changes);
  const gpuText = (gpus: GpuRequest) =>
    gpus && 'uuids' in gpus ? gpus.uuids.join('\n') : t('changed.gpus', { count: gpus?.count ?? 0 });
  const healthText = ({ command, intervalMs, timeoutMs, startMs, retries }: HealthCheckSpec) => {
    const times = { intervalSeconds: intervalMs, timeoutSeconds: timeoutMs, startSeconds: startMs };
    const told = Object.entries(times).filter(([, ms]) => ms > 0);
    return [
      command,
      ...told.map(([name, ms]) => `${t(`health.numbers.${name as keyof typeof times}`)}: ${ms / 1000} s`),
      ...(retries > 0 ? [`${t('health.numbers.retries')}: ${retries}`] : []),
    ].join('\n');
  };
  const resourceText = (item: unknown): string => {
    if (typeof item === 'string') return names.get(item) ?? item;
    const { volumeId, path, readOnly } = item as { volumeId: string; path: string; readOnly: boolean };
    const name = names.get(volumeId) ?? volumeId;
    return t('changed.mount', { name, path, isReadOnly: String(readOnly) });
  };
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
        return isBytes(field) ? bytes(value) : String(value);
      }
      if (typeof value === 'string') return value;
      if (Array.isArray(value) && (field === 'volumes' || field === 'networks'))
        return differing(value, other).map(resourceText).join('\n') || t('changed.none');
      if (Array.isArray(value))
        return field === 'command'
          ? value.join(' ')
          : differing(value, other).map(itemText).join('\n') || t('changed.none');
      if (field === 'gpus') return gpuText(value as GpuRequest);
      if (field === 'healthCheck') return healthText(value as HealthCheckSpec);
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
  if ('hostName' in item) {
    const { scheme, hostName, port, protection } = item as RouteItem;
    const users = protection.users?.map(({ name }) => name).join(', ');
    return `${scheme}://${hostName} → ${port} (${protection.kind}${users ? `: ${users}` : ''})`;
  }
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

/** A check as the form has it, in the words of a deployment. */
export function healthSpecOf(check: HealthCheck): HealthCheckSpec | null {
  if (!check) return null;
  const { command, retries, intervalSeconds, timeoutSeconds, startSeconds } = check;
  const [intervalMs, timeoutMs, startMs] = [intervalSeconds, timeoutSeconds, startSeconds].map((each) => each * 1000);
  return { command, retries, intervalMs: intervalMs!, timeoutMs: timeoutMs!, startMs: startMs! };
}
