import { asKey } from '@/components/records/schema-resolver';
import { describe, expect, it } from 'vitest';
import type { WorkspaceRecord } from '@/components/data/types';
import { toBody, toValues } from './workspace-body';
import { emptyWorkspace, workspaceSchema, type WorkspaceValues } from './workspace-schema';

const port = { containerPort: 80, protocol: 'tcp', hostPort: 8080, hostIp: '' } as const;
const stored = {
  name: 'db',
  description: '',
  host: 'h',
  image: 'i',
  externalUrls: [
    {
      scheme: 'https',
      subdomain: 'lab',
      domain: 'd1',
      port: 8080,
      authentication: 'basic',
      users: [{ username: 'ada', password: '' }],
    },
  ],
  portMappings: [port, { ...port, containerPort: '10-20', hostPort: 0 }],
  environmentVariables: [
    { name: 'MODE', value: 'fast', secret: false },
    { name: 'KEY', secret: true },
  ],
  command: '',
  arguments: ['--a', 'b c'],
  autoStart: true,
  idleMinutes: 60,
  deleteAfterDays: 0,
  schedule: { timeZone: 'Europe/Budapest', start: { at: '08:00', weekdays: [1, 2] }, stop: null },
  cpuLimit: 1.5,
  memoryLimit: 2 * 1024 ** 3,
  shmSize: 0,
  gpus: { uuids: ['GPU-a'] },
  runtime: 'kata',
  networks: ['n1'],
  volumes: ['v1'],
  volumePaths: { v1: { path: '/data', readOnly: true } },
  healthCheck: { command: 'true', intervalSeconds: 5, timeoutSeconds: 0, retries: 2, startSeconds: 0 },
} as unknown as WorkspaceRecord;

const messagesOf = (values: Partial<WorkspaceValues>) => {
  const filled = { ...emptyWorkspace, name: 'db', host: 'h', image: 'i' };
  const { error } = workspaceSchema.safeParse({ ...filled, ...values }, { error: asKey });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('the form of a workspace', () => {
  it('sends back what it was given', () => {
    expect(toBody(toValues(stored))).toEqual({
      ...stored,
      portMappings: [port, { ...port, containerPort: '10-20', hostPort: '' }],
    });
  });

  it('shows limits in the units of its fields, none as an empty one', () => {
    expect(toValues(stored)).toMatchObject({ cpuLimit: '1.5', memoryLimit: '2', shmSize: '', arguments: '--a\nb c' });
  });

  it('keeps a stored secret unless it is replaced', () => {
    const values = toValues(stored);
    const key = values.environmentVariables[1]!;
    expect(key).toEqual({ name: 'KEY', value: '', secret: true, isKept: true });
    const replaced = toBody({ ...values, environmentVariables: [{ ...key, value: 'new', isKept: false }] });
    expect(replaced['environmentVariables']).toEqual([{ name: 'KEY', value: 'new', secret: true }]);
  });

  it('begins with what a record without anything set has', () => {
    const bare = {
      ...stored,
      portMappings: null,
      environmentVariables: null,
      arguments: null,
      cpuLimit: 0,
    } as unknown as WorkspaceRecord;
    expect(toValues(bare)).toMatchObject({ portMappings: [], environmentVariables: [], arguments: '', cpuLimit: '' });
  });

  it.each<[Partial<WorkspaceValues>, string[]]>([
    [{}, []],
    [{ name: ' ', host: '', image: '' }, ['name: required', 'host: required', 'image: required']],
    [{ cpuLimit: 'two' }, ['cpuLimit: mustBeNumber']],
    [{ cpuLimit: '-1' }, ['cpuLimit: cpuLimitRange']],
    [{ cpuLimit: '4097' }, ['cpuLimit: cpuLimitRange']],
    [{ memoryLimit: '-0.5', shmSize: '-64' }, ['memoryLimit: amountMustBePositive', 'shmSize: amountMustBePositive']],
    [{ cpuLimit: '0', memoryLimit: '1.5' }, []],
    [{ name: 'x'.repeat(101) }, ['name: atMostCharacters:100']],
    [
      { portMappings: [{ containerPort: '', protocol: 'tcp', hostPort: 'x', hostIp: '' }] },
      ['portMappings.0.containerPort: required', 'portMappings.0.hostPort: invalidPortOnHost'],
    ],
    [
      { environmentVariables: [{ name: '1A', value: '', secret: false, isKept: false }] },
      ['environmentVariables.0.name: invalidVariable'],
    ],
  ])('names what is wrong with %j', (values, messages) => {
    expect(messagesOf(values)).toEqual(messages);
  });

  it('takes a host port once for each protocol and address', () => {
    const row = { containerPort: '80', protocol: 'tcp', hostPort: '8080', hostIp: '' } as const;
    const local = { ...row, hostIp: '127.0.0.1' };
    const elsewhere = [
      { ...row, protocol: 'udp' as const },
      { ...row, hostIp: '10.0.0.1' },
    ];
    expect(messagesOf({ portMappings: [local, ...elsewhere] })).toEqual([]);
    // Without an address it is all of them.
    expect(messagesOf({ portMappings: [local, ...elsewhere, row] })).toEqual([
      'portMappings.3.hostPort: duplicateHostPort',
    ]);
    const range = { ...row, containerPort: '8000-8010', hostPort: '8080-8090' };
    expect(messagesOf({ portMappings: [row, range] })).toEqual(['portMappings.1.hostPort: duplicateHostPort']);
    expect(messagesOf({ portMappings: [{ ...range, hostPort: '9000-9005' }] })).toEqual([
      'portMappings.0.hostPort: rangesDiffer',
    ]);
    const free = { ...row, hostPort: '' };
    expect(messagesOf({ portMappings: [free, free] })).toEqual([]);
  });

  it('takes a network and a volume once, each volume at a path of its own', () => {
    const volume = { volume: 'v1', path: '/data', readOnly: false };
    expect(messagesOf({ networks: ['n1', 'n2'], volumes: [volume] })).toEqual([]);
    expect(messagesOf({ networks: ['n1', 'n1'] })).toEqual(['networks: networkAlreadyAdded']);
    expect(messagesOf({ volumes: [volume, { ...volume, volume: 'v2', path: '/data/' }] })).toEqual([
      'volumes.1.path: duplicatePath',
    ]);
    expect(messagesOf({ volumes: [volume, { ...volume, path: '/other' }] })).toEqual([
      'volumes.1.volume: volumeAlreadyAdded',
    ]);
    expect(messagesOf({ volumes: [{ ...volume, path: 'data' }] })).toEqual(['volumes.0.path: absolutePath']);
    expect(messagesOf({ volumes: [{ ...volume, path: ' ' }] })).toEqual(['volumes.0.path: required']);
  });

  it.each<[Partial<WorkspaceValues['gpus']>, string[]]>([
    [{ by: 'none', count: 'x' }, []],
    [{ by: 'count', count: '2' }, []],
    [{ by: 'count', count: '' }, ['gpus.count: gpuCountRange']],
    [{ by: 'count', count: '65' }, ['gpus.count: gpuCountRange']],
    [{ by: 'cards' }, ['gpus.uuids: pleaseSelectAtLeastOne']],
  ])('asks for cards by %j', (gpus, messages) => {
    expect(messagesOf({ gpus: { ...emptyWorkspace.gpus, ...gpus } })).toEqual(messages);
  });

  it('takes an address once, with someone to let in and a port', () => {
    const url = toValues(stored).externalUrls[0]!;
    const of = (...externalUrls: WorkspaceValues['externalUrls']) => messagesOf({ externalUrls });
    expect(of(url, { ...url, scheme: 'http' }, { ...url, subdomain: '' })).toEqual([]);
    expect(of(url, { ...url, port: '81' })).toEqual(['externalUrls.1.subdomain: duplicateAddress']);
    for (const port of ['0', '65536', '80-90', 'x'])
      expect(of({ ...url, port })).toEqual(['externalUrls.0.port: notValidPort']);
    expect(of({ ...url, subdomain: '-a' })).toEqual(['externalUrls.0.subdomain: invalidSubdomain']);
    expect(of({ ...url, domain: '' })).toEqual(['externalUrls.0.domain: required']);
    expect(of({ ...url, users: [] })).toEqual(['externalUrls.0.users: pleaseAddAtLeastOne']);
    const eve = { username: 'eve', password: '', isKept: false };
    const odd = { username: 'a b', password: 'x', isKept: false };
    expect(of({ ...url, users: [odd] })).toEqual(['externalUrls.0.users.0.username: invalidUrlUser']);
    expect(of({ ...url, users: [eve, { ...eve, isKept: true }] })).toEqual([
      'externalUrls.0.users.0.password: required',
      'externalUrls.0.users.1.username: duplicateUrlUser',
    ]);
    expect(of({ ...url, authentication: 'internal', users: [] })).toEqual([]);
  });

  it('has a health check where there is a command', () => {
    const numbers = { intervalSeconds: '1.5', timeoutSeconds: '', retries: '4', startSeconds: '' };
    const check = { command: 'true', ...numbers };
    const body = (command: string) => toBody({ ...emptyWorkspace, healthCheck: { ...check, command } })['healthCheck'];
    expect(body('true')).toEqual({
      command: 'true',
      intervalSeconds: 1.5,
      timeoutSeconds: 0,
      retries: 4,
      startSeconds: 0,
    });
    expect(body(' ')).toBeNull();
    expect(messagesOf({ healthCheck: { ...check, retries: '1.5', intervalSeconds: '0' } })).toEqual([
      'healthCheck.intervalSeconds: healthSecondsRange',
      'healthCheck.retries: healthRange',
    ]);
  });

  it('takes a variable once', () => {
    const variable = { name: 'A', value: '', secret: false, isKept: false };
    expect(messagesOf({ environmentVariables: [variable, variable] })).toEqual([
      'environmentVariables.1.name: duplicateVariable',
    ]);
  });
});
