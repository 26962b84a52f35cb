import { z } from 'zod';
import type { WorkspaceRecord } from '@/components/data/types';
import { limits } from '@/lib/vocabulary/limits';
import { isHostIp, parsePorts } from '@/lib/vocabulary/ports';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Amounts that the form shows in a unit of its own: how much of the stored one it is. */
export const AMOUNT_UNITS = { cpuLimit: 1, memoryLimit: GIB, shmSize: MIB } as const;
export const AMOUNTS = Object.keys(AMOUNT_UNITS) as (keyof typeof AMOUNT_UNITS)[];

/** Whether a field counts bytes. */
export function isBytes(field: string): boolean {
  return AMOUNTS.some((amount) => amount === field && AMOUNT_UNITS[amount] > 1);
}

const isPorts = (text: string) => parsePorts(text) !== undefined;

const portSchema = z.object({
  containerPort: z
    .string()
    .trim()
    .min(1, 'required')
    .refine((text) => text === '' || isPorts(text), 'invalidPortOnContainer'),
  protocol: z.enum(['tcp', 'udp']),
  hostPort: z
    .string()
    .trim()
    .refine((text) => text === '' || isPorts(text), 'invalidPortOnHost'),
  hostIp: z.string().trim().refine(isHostIp, 'invalidHostIp'),
});

const variableSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'required')
    .refine((text) => text === '' || /^[A-Za-z_][A-Za-z0-9_]*$/.test(text), 'invalidVariable'),
  value: z.string().max(limits.environmentValueBytes, 'valueTooLong'),
  secret: z.boolean(),
  /** The stored secret stays as it is; its value is never sent to the browser. */
  isKept: z.boolean(),
});

const amountSchema = z
  .string()
  .trim()
  .regex(/^(?:\d+(?:\.\d+)?)?$/, 'mustBeNumber');

export const workspaceSchema = z
  .object({
    name: z.string().trim().min(1, 'required').max(limits.nameLength),
    description: z.string().max(limits.descriptionLength),
    host: z.string().min(1, 'required'),
    image: z.string().min(1, 'required'),
    portMappings: z.array(portSchema).max(limits.portMappings, 'maxNumberOfItemsExceeded'),
    environmentVariables: z.array(variableSchema).max(limits.environmentVariables, 'maxNumberOfItemsExceeded'),
    command: z.string(),
    arguments: z.string(),
    autoStart: z.boolean(),
    cpuLimit: amountSchema,
    memoryLimit: amountSchema,
    shmSize: amountSchema,
  })
  .superRefine((values, context) => {
    const twice = <Row>(
      rows: Row[],
      keyOf: (row: Row) => string,
      path: (index: number) => (string | number)[],
      message: string,
    ) => {
      const seen = new Set<string>();
      rows.forEach((row, index) => {
        const key = keyOf(row);
        if (key && seen.has(key)) context.addIssue({ code: 'custom', path: path(index), message });
        seen.add(key);
      });
    };
    twice(
      values.portMappings,
      (row) => (row.hostPort ? `${row.hostPort}/${row.protocol}/${row.hostIp}` : ''),
      (index) => ['portMappings', index, 'hostPort'],
      'duplicateHostPort',
    );
    twice(
      values.environmentVariables,
      (row) => row.name,
      (index) => ['environmentVariables', index, 'name'],
      'duplicateVariable',
    );
  });
export type WorkspaceValues = z.infer<typeof workspaceSchema>;

/** The section of the form that each field stands in, in their order. */
export const SECTION_OF: Readonly<Record<keyof WorkspaceValues, 'basics' | 'ports' | 'environment' | 'start'>> = {
  name: 'basics',
  description: 'basics',
  host: 'basics',
  image: 'basics',
  portMappings: 'ports',
  environmentVariables: 'environment',
  command: 'start',
  arguments: 'start',
  autoStart: 'start',
  cpuLimit: 'start',
  memoryLimit: 'start',
  shmSize: 'start',
};

export const emptyWorkspace: WorkspaceValues = {
  name: '',
  description: '',
  host: '',
  image: '',
  portMappings: [],
  environmentVariables: [],
  command: '',
  arguments: '',
  autoStart: true,
  cpuLimit: '',
  memoryLimit: '',
  shmSize: '',
};

const shown = (amount: number, unit: number) => (amount ? String(Math.round((amount / unit) * 1000) / 1000) : '');
/** Bytes are whole, cores are not. */
const stored = (text: string, unit: number) => (unit === 1 ? Number(text || 0) : Math.round(Number(text || 0) * unit));
const amountsOf = <T>(read: (amount: keyof typeof AMOUNT_UNITS) => T) =>
  Object.fromEntries(AMOUNTS.map((amount) => [amount, read(amount)])) as Record<keyof typeof AMOUNT_UNITS, T>;

export function toValues(record: WorkspaceRecord): WorkspaceValues {
  return {
    name: record.name,
    description: record.description,
    host: record.host,
    image: record.image,
    portMappings: (record.portMappings ?? []).map((port) => ({
      containerPort: String(port.containerPort),
      protocol: port.protocol,
      hostPort: port.hostPort ? String(port.hostPort) : '',
      hostIp: port.hostIp,
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
    host: values.host,
    image: values.image,
    portMappings: values.portMappings.map((port) => ({
      containerPort: wirePort(port.containerPort),
      protocol: port.protocol,
      hostPort: wirePort(port.hostPort),
      hostIp: port.hostIp,
    })),
    environmentVariables: values.environmentVariables.map(({ name, value, secret, isKept }) =>
      secret && isKept ? { name, secret } : { name, value, secret },
    ),
    command: values.command,
    arguments: values.arguments.split('\n').filter((line) => line !== ''),
    autoStart: values.autoStart,
    ...amountsOf((amount) => stored(values[amount], AMOUNT_UNITS[amount])),
  };
}
