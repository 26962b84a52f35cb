import { describe, expect, it } from 'vitest';
import type { WorkspaceRecord } from '@/components/data/types';
import { emptyWorkspace, toBody, toValues, workspaceSchema, type WorkspaceValues } from './workspace-schema';

const port = { containerPort: 80, protocol: 'tcp', hostPort: 8080, hostIp: '' } as const;
const stored = {
  name: 'db',
  description: '',
  host: 'h',
  image: 'i',
  portMappings: [port, { ...port, containerPort: '10-20', hostPort: 0 }],
  environmentVariables: [
    { name: 'MODE', value: 'fast', secret: false },
    { name: 'KEY', secret: true },
  ],
  command: '',
  arguments: ['--a', 'b c'],
  autoStart: true,
  cpuLimit: 1.5,
  memoryLimit: 2 * 1024 ** 3,
  shmSize: 0,
} as unknown as WorkspaceRecord;

const messagesOf = (values: Partial<WorkspaceValues>) => {
  const filled = { ...emptyWorkspace, name: 'db', host: 'h', image: 'i' };
  const { error } = workspaceSchema.safeParse({ ...filled, ...values });
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
    const elsewhere = [
      { ...row, protocol: 'udp' as const },
      { ...row, hostIp: '127.0.0.1' },
    ];
    expect(messagesOf({ portMappings: [row, ...elsewhere] })).toEqual([]);
    expect(messagesOf({ portMappings: [row, ...elsewhere, row] })).toEqual([
      'portMappings.3.hostPort: duplicateHostPort',
    ]);
    const free = { ...row, hostPort: '' };
    expect(messagesOf({ portMappings: [free, free] })).toEqual([]);
  });

  it('takes a variable once', () => {
    const variable = { name: 'A', value: '', secret: false, isKept: false };
    expect(messagesOf({ environmentVariables: [variable, variable] })).toEqual([
      'environmentVariables.1.name: duplicateVariable',
    ]);
  });
});
