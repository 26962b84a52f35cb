import type { WorkspaceRecord } from '@/components/data/types';
import { AMOUNT_UNITS, AMOUNTS } from './amounts';
import { timesBody, timesValues } from './times/times-schema';
import { emptyWorkspace, type WorkspaceValues } from './workspace-schema';

const shown = (amount: number, unit: number) => (amount ? String(Math.round((amount / unit) * 1000) / 1000) : '');
/** Bytes are whole, cores are not. */
const stored = (text: string, unit: number) => (unit === 1 ? Number(text || 0) : Math.round(Number(text || 0) * unit));
const amountsOf = <T>(read: (amount: keyof typeof AMOUNT_UNITS) => T) =>
  Object.fromEntries(AMOUNTS.map((amount) => [amount, read(amount)])) as Record<keyof typeof AMOUNT_UNITS, T>;

function gpuValues(gpus: WorkspaceRecord['gpus']): WorkspaceValues['gpus'] {
  if (gpus && 'uuids' in gpus && gpus.uuids.length > 0) return { by: 'cards', count: '', uuids: gpus.uuids };
  if (gpus && 'count' in gpus && gpus.count > 0) return { by: 'count', count: String(gpus.count), uuids: [] };
  return emptyWorkspace.gpus;
}

function wireGpus({ by, count, uuids }: WorkspaceValues['gpus']) {
  if (by === 'none') return null;
  return by === 'count' ? { count: Number(count) } : { uuids };
}

const HEALTH_NUMBERS = ['intervalSeconds', 'timeoutSeconds', 'retries', 'startSeconds'] as const;
const healthNumbers = <T>(read: (name: (typeof HEALTH_NUMBERS)[number]) => T) =>
  Object.fromEntries(HEALTH_NUMBERS.map((name) => [name, read(name)])) as Record<(typeof HEALTH_NUMBERS)[number], T>;

function healthValues(check: WorkspaceRecord['healthCheck']): WorkspaceValues['healthCheck'] {
  if (!check) return emptyWorkspace.healthCheck;
  return { command: check.command, ...healthNumbers((name) => (check[name] ? String(check[name]) : '')) };
}

/** Without a command there is no check. */
function wireHealth(check: WorkspaceValues['healthCheck']) {
  if (check.command.trim() === '') return null;
  return { command: check.command, ...healthNumbers((name) => Number(check[name] || 0)) };
}

export function toValues(record: WorkspaceRecord): WorkspaceValues {
  return {
    name: record.name,
    description: record.description,
    tags: record.tags,
    host: record.host,
    image: record.image,
    icon: undefined,
    gpus: gpuValues(record.gpus),
    runtime: record.runtime,
    networks: record.networks ?? [],
    volumes: (record.volumes ?? []).map((volume) => ({
      volume,
      path: record.volumePaths?.[volume]?.path ?? '',
      readOnly: record.volumePaths?.[volume]?.readOnly ?? false,
    })),
    healthCheck: healthValues(record.healthCheck),
    portMappings: (record.portMappings ?? []).map((port) => ({
      containerPort: String(port.containerPort),
      protocol: port.protocol,
      hostPort: port.hostPort ? String(port.hostPort) : '',
      hostIp: port.hostIp,
    })),
    externalUrls: (record.externalUrls ?? []).map(({ users, port, ...url }) => ({
      ...url,
      port: String(port),
      users: users.map(({ username }) => ({ username, password: '', isKept: true })),
    })),
    environmentVariables: (record.environmentVariables ?? []).map(({ name, value, secret }) => ({
      name,
      value: secret ? '' : (value ?? ''),
      secret,
      isKept: secret,
    })),
    command: record.command,
    arguments: (record.arguments ?? []).join('\n'),
    autoStart: record.autoStart,
    ...timesValues(record),
    ...amountsOf((amount) => shown(record[amount], AMOUNT_UNITS[amount])),
  };
}

/** A port as the wire has it: a number, or a range as text; '' leaves the choice to the host. */
const wirePort = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text);

/** The body of a create or an update. A kept secret goes without its value. */
export function toBody(values: WorkspaceValues): Record<string, unknown> {
  return {
    name: values.name,
    description: values.description,
    tags: values.tags,
    host: values.host,
    image: values.image,
    ...(values.icon !== undefined && { icon: values.icon }),
    gpus: wireGpus(values.gpus),
    runtime: values.runtime,
    networks: values.networks,
    volumes: values.volumes.map(({ volume }) => volume),
    volumePaths: Object.fromEntries(
      values.volumes.map(({ volume, path, readOnly }) => [volume, { path: path.trim(), readOnly }]),
    ),
    healthCheck: wireHealth(values.healthCheck),
    portMappings: values.portMappings.map((port) => ({
      containerPort: wirePort(port.containerPort),
      protocol: port.protocol,
      hostPort: wirePort(port.hostPort),
      hostIp: port.hostIp,
    })),
    externalUrls: values.externalUrls.map(({ port, users, ...url }) => ({
      ...url,
      port: Number(port),
      // A kept password goes empty; who is not asked for one is not kept.
      users: url.authentication === 'basic' ? users.map(({ username, password }) => ({ username, password })) : [],
    })),
    environmentVariables: values.environmentVariables.map(({ name, value, secret, isKept }) =>
      secret && isKept ? { name, secret } : { name, value, secret },
    ),
    command: values.command,
    arguments: values.arguments.split('\n').filter((line) => line !== ''),
    autoStart: values.autoStart,
    ...timesBody(values),
    ...amountsOf((amount) => stored(values[amount], AMOUNT_UNITS[amount])),
  };
}
