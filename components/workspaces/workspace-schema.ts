import { z } from 'zod';
import type { PickedPicture } from '@/components/records/picture-picker';
import { tagsSchema } from '@/components/records/tags/tags-schema';
import { isSubdomain } from '@/lib/vocabulary/domain-name';
import { limits } from '@/lib/vocabulary/limits';
import { isAbsolutePath, plainPath } from '@/lib/vocabulary/paths';
import { URL_AUTHENTICATIONS } from '@/lib/vocabulary/workspace';
import { emptyTimes, timesShape } from './times/times-schema';
import { clashOf, isHostIp, leavesHostPortOpen, parsePorts, portCount } from '@/lib/vocabulary/ports';

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

/** Ranges of the same length on both sides, and no host port twice. */
function checkPorts(rows: z.infer<typeof portSchema>[], context: z.core.$RefinementCtx): void {
  rows.forEach((row, index) => {
    const container = parsePorts(row.containerPort);
    const host = leavesHostPortOpen(row) ? undefined : parsePorts(row.hostPort);
    const path = ['portMappings', index, 'hostPort'];
    if (container && host && portCount(container) !== portCount(host))
      context.addIssue({ code: 'custom', path, message: 'rangesDiffer' });
    else if (rows.slice(0, index).some((other) => clashOf(row, other) !== undefined))
      context.addIssue({ code: 'custom', path, message: 'duplicateHostPort' });
  });
}

const variableSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'required')
    .refine((text) => text === '' || /^[A-Za-z_][A-Za-z0-9_]*$/.test(text), 'invalidVariable'),
  value: z.string().max(limits.environmentValueBytes),
  secret: z.boolean(),
  /** The stored secret stays as it is; its value is never sent to the browser. */
  isKept: z.boolean(),
});

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** An amount as it is typed, empty for no limit; `isIn` says whether the number is one that may be set. */
function amountSchema(message: string, isIn: (amount: number) => boolean) {
  return z
    .string()
    .trim()
    .superRefine((text, context) => {
      if (text === '') return;
      const problem = !NUMBER.test(text) ? 'mustBeNumber' : isIn(Number(text)) ? undefined : message;
      if (problem) context.addIssue({ code: 'custom', message: problem });
    });
}
const sizeSchema = amountSchema('amountMustBePositive', (amount) => amount >= 0);

const wholeSchema = (max: number) =>
  amountSchema('healthRange', (count) => Number.isInteger(count) && count >= 0 && count <= max);
const secondsSchema = amountSchema(
  'healthSecondsRange',
  (seconds) => seconds >= 0.001 && seconds <= limits.healthSeconds,
);

const volumeSchema = z.object({
  volume: z.string().min(1, 'required'),
  path: z
    .string()
    .trim()
    .min(1, 'required')
    .max(limits.pathLength)
    .refine((path) => path === '' || isAbsolutePath(path), 'absolutePath'),
  readOnly: z.boolean(),
});

const urlUserSchema = z.object({
  username: z
    .string()
    .trim()
    .min(1, 'required')
    .max(100)
    .refine((text) => text === '' || /^[A-Za-z0-9][A-Za-z0-9._@+-]*$/.test(text), 'invalidUrlUser'),
  password: z.string().max(72),
  /** The stored password stays as it is; it is never sent to the browser. */
  isKept: z.boolean(),
});

const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

const urlSchema = z
  .object({
    scheme: z.enum(['http', 'https']),
    subdomain: z
      .string()
      .trim()
      .toLowerCase()
      .refine((text) => text === '' || isSubdomain(text), 'invalidSubdomain'),
    domain: z.string().min(1, 'required'),
    port: z
      .string()
      .trim()
      .min(1, 'required')
      .refine((text) => text === '' || isPort(text), 'notValidPort'),
    authentication: z.enum(URL_AUTHENTICATIONS),
    users: z.array(urlUserSchema).max(limits.urlUsers, 'maxNumberOfItemsExceeded'),
  })
  .superRefine(({ authentication, users }, context) => {
    if (authentication !== 'basic') return;
    if (users.length === 0) context.addIssue({ code: 'custom', path: ['users'], message: 'pleaseAddAtLeastOne' });
    users.forEach(({ username, password, isKept }, index) => {
      if (!isKept && password === '')
        context.addIssue({ code: 'custom', path: ['users', index, 'password'], message: 'required' });
      if (username && users.slice(0, index).some((other) => other.username === username))
        context.addIssue({ code: 'custom', path: ['users', index, 'username'], message: 'duplicateUrlUser' });
    });
  });

const gpusSchema = z
  .object({ by: z.enum(['none', 'count', 'cards']), count: z.string().trim(), uuids: z.array(z.string()) })
  .superRefine(({ by, count, uuids }, context) => {
    const isCount = /^\d+$/.test(count) && Number(count) >= 1 && Number(count) <= 64;
    if (by === 'count' && !isCount) context.addIssue({ code: 'custom', path: ['count'], message: 'gpuCountRange' });
    if (by === 'cards' && uuids.length === 0)
      context.addIssue({ code: 'custom', path: ['uuids'], message: 'pleaseSelectAtLeastOne' });
  });

const healthSchema = z.object({
  command: z.string().max(limits.healthCommandLength),
  intervalSeconds: secondsSchema,
  timeoutSeconds: secondsSchema,
  retries: wholeSchema(limits.healthRetries),
  startSeconds: secondsSchema,
});

export const workspaceSchema = z
  .object({
    icon: z.custom<PickedPicture>().optional(),
    name: z.string().trim().min(1, 'required').max(limits.nameLength),
    description: z.string().max(limits.descriptionLength),
    tags: tagsSchema,
    host: z.string().min(1, 'required'),
    image: z.string().min(1, 'required'),
    portMappings: z.array(portSchema).max(limits.portMappings, 'maxNumberOfItemsExceeded'),
    externalUrls: z.array(urlSchema).max(limits.externalUrls, 'maxNumberOfItemsExceeded'),
    gpus: gpusSchema,
    runtime: z.string(),
    networks: z.array(z.string()).max(limits.networksPerWorkspace, 'maxNumberOfItemsExceeded'),
    volumes: z.array(volumeSchema).max(limits.volumesPerWorkspace, 'maxNumberOfItemsExceeded'),
    healthCheck: healthSchema,
    environmentVariables: z.array(variableSchema).max(limits.environmentVariables, 'maxNumberOfItemsExceeded'),
    command: z.string(),
    arguments: z.string(),
    autoStart: z.boolean(),
    cpuLimit: amountSchema('cpuLimitRange', (cores) => cores === 0 || (cores >= 0.01 && cores <= 4096)),
    memoryLimit: sizeSchema,
    shmSize: sizeSchema,
    ...timesShape,
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
    checkPorts(values.portMappings, context);
    twice(
      values.environmentVariables,
      (row) => row.name,
      (index) => ['environmentVariables', index, 'name'],
      'duplicateVariable',
    );
    twice(
      values.externalUrls,
      ({ scheme, subdomain, domain }) => domain && `${scheme}://${subdomain}.${domain}`,
      (index) => ['externalUrls', index, 'subdomain'],
      'duplicateAddress',
    );
    twice(
      values.volumes,
      (row) => row.path && plainPath(row.path),
      (index) => ['volumes', index, 'path'],
      'duplicatePath',
    );
    twice(
      values.volumes,
      (row) => row.volume,
      (index) => ['volumes', index, 'volume'],
      'volumeAlreadyAdded',
    );
    if (new Set(values.networks).size < values.networks.length)
      context.addIssue({ code: 'custom', path: ['networks'], message: 'networkAlreadyAdded' });
  });
export type WorkspaceValues = z.infer<typeof workspaceSchema>;

/** The section of the form that each field stands in, in their order. */
export const SECTION_OF: Readonly<
  Record<
    keyof WorkspaceValues,
    'basics' | 'gpus' | 'ports' | 'addresses' | 'environment' | 'volumes' | 'networks' | 'health' | 'start' | 'times'
  >
> = {
  name: 'basics',
  description: 'basics',
  tags: 'basics',
  host: 'basics',
  image: 'basics',
  icon: 'basics',
  gpus: 'gpus',
  portMappings: 'ports',
  externalUrls: 'addresses',
  environmentVariables: 'environment',
  volumes: 'volumes',
  networks: 'networks',
  healthCheck: 'health',
  runtime: 'start',
  command: 'start',
  arguments: 'start',
  autoStart: 'start',
  cpuLimit: 'start',
  memoryLimit: 'start',
  shmSize: 'start',
  idleMinutes: 'times',
  deleteAfterDays: 'times',
  schedule: 'times',
};

export const emptyWorkspace: WorkspaceValues = {
  name: '',
  description: '',
  tags: [],
  host: '',
  image: '',
  icon: undefined,
  gpus: { by: 'none', count: '', uuids: [] },
  runtime: '',
  networks: [],
  volumes: [],
  healthCheck: { command: '', intervalSeconds: '', timeoutSeconds: '', retries: '', startSeconds: '' },
  portMappings: [],
  externalUrls: [],
  environmentVariables: [],
  command: '',
  arguments: '',
  autoStart: true,
  cpuLimit: '',
  memoryLimit: '',
  shmSize: '',
  ...emptyTimes,
};
