import { randomUUID } from 'node:crypto';
import type { ContainerInspectInfo } from 'dockerode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { workspaceSpecSchema } from '@/lib/protocol/specs/workspace';
import { USUAL_ISOLATION } from '@/lib/vocabulary/host-isolation';
import { buildWorkspaceSpec, type SpecWorkspace } from '@/lib/workspaces/spec';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { buildBusybox, docker, dockerAbsence, removeAll } from './docker-fixture';

/** Each field of a workspace's form, and what the engine's own inspection then says. */
const hostId = `h${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${hostId}:1`;
const RUN = 'while true; do /bin/busybox sleep 1; done';

const bare: SpecWorkspace = {
  id: 'w',
  created_by: 'u1',
  name: 'fields',
  host: hostId,
  runtime: '',
  gpus: null,
  command: `/bin/sh -c "${RUN}"`,
  arguments: null,
  autoStart: false,
  shmSize: 0,
  cpuLimit: 0,
  memoryLimit: 0,
  healthCheck: null,
  environmentVariables: null,
  portMappings: null,
  networks: [],
  volumes: [],
  volumePaths: null,
};
const image = {
  build_on: hostId,
  creationType: 'writeDockerfile',
  dockerImageName: '',
  repository: `berth-test/${hostId}`,
  tag: '1',
  external: false,
  push_after_build: false,
  imageId: '',
};
const host = {
  id: hostId,
  default_runtime: '',
  default_gpu_runtime: '',
  pull_timeout: 60,
  isolation: USUAL_ISOLATION,
  reverse_proxy: null,
};
const port = (containerPort: number | string, hostPort: number | string, rest: object = {}) => ({
  containerPort,
  hostPort,
  protocol: 'tcp' as const,
  hostIp: '',
  ...rest,
});
const check = { command: 'test -e /bin/sh', intervalSeconds: 1.5, timeoutSeconds: 2, retries: 4, startSeconds: 3 };

type Row = [field: string, set: Partial<SpecWorkspace>, read: (info: ContainerInspectInfo) => unknown, said: unknown];

const rows: Row[] = [
  ['command', {}, ({ Config }) => Config.Cmd, ['/bin/sh', '-c', RUN]],
  [
    'arguments',
    { command: '/bin/sh -c', arguments: [`${RUN} # a b`] },
    ({ Config }) => Config.Cmd,
    ['/bin/sh', '-c', `${RUN} # a b`],
  ],
  ['runtime', { runtime: 'runc' }, ({ HostConfig }) => HostConfig.Runtime, 'runc'],
  ['autoStart on', { autoStart: true }, ({ HostConfig }) => HostConfig.RestartPolicy?.Name, 'unless-stopped'],
  ['autoStart off', {}, ({ HostConfig }) => HostConfig.RestartPolicy?.Name, 'no'],
  ['shmSize', { shmSize: 128 * 1024 ** 2 }, ({ HostConfig }) => HostConfig.ShmSize, 128 * 1024 ** 2],
  ['cpuLimit', { cpuLimit: 0.5 }, ({ HostConfig }) => HostConfig.NanoCpus, 5e8],
  ['memoryLimit', { memoryLimit: 64 * 1024 ** 2 }, ({ HostConfig }) => HostConfig.Memory, 64 * 1024 ** 2],
  [
    'environmentVariables',
    {
      environmentVariables: [
        { name: 'LINES', value: 'one\ntwo = "3"', secret: false },
        { name: 'EMPTY', value: '', secret: false },
      ],
    },
    ({ Config }) => Config.Env.filter((entry) => /^(LINES|EMPTY)=/.test(entry)),
    ['LINES=one\ntwo = "3"', 'EMPTY='],
  ],
  [
    'portMappings, a range',
    { portMappings: [port('7000-7002', '27000-27002')] },
    ({ HostConfig }) => HostConfig.PortBindings,
    Object.fromEntries(
      [0, 1, 2].map((offset) => [`${7000 + offset}/tcp`, [{ HostIp: '', HostPort: `${27_000 + offset}` }]]),
    ),
  ],
  [
    'portMappings, an address and udp',
    { portMappings: [port(53, 27_053, { protocol: 'udp', hostIp: 'localhost' })] },
    ({ HostConfig }) => HostConfig.PortBindings,
    { '53/udp': [{ HostIp: '127.0.0.1', HostPort: '27053' }] },
  ],
  [
    'healthCheck',
    { healthCheck: check },
    ({ Config }) => Config.Healthcheck,
    { Test: ['CMD-SHELL', check.command], Interval: 1.5e9, Timeout: 2e9, Retries: 4, StartPeriod: 3e9 },
  ],
  ['no healthCheck', {}, ({ Config }) => Config.Healthcheck, undefined],
];

describe.skipIf(dockerAbsence !== '')('a field of a workspace on Docker', () => {
  let fixture: Fixture;
  let number = 0;

  beforeAll(async () => {
    await buildBusybox(hostId, reference, []);
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId);
  }, 60_000);
  afterAll(async () => {
    await fixture?.close();
    await removeAll(hostId);
  }, 60_000);

  const specOf = (set: Partial<SpecWorkspace>) => {
    const spec = buildWorkspaceSpec({ ...bare, ...set }, image, host, { generation: 1, attempt: 0 });
    return workspaceSpecSchema.parse(spec);
  };
  const wantNext = (set: Partial<SpecWorkspace>): string => {
    const id = `w${(number += 1)}`;
    const spec = specOf(set);
    fixture.console.want(id, { kind: 'workspace', spec: { ...spec, image: { ...spec.image, reference } } });
    return id;
  };

  it.each(rows)(
    '%s is what the engine says',
    async (_, set, read, said) => {
      const id = wantNext(set);
      const { containerId } = await fixture.console.untilStatus(id, 'running', 30_000);
      expect(read(await docker.getContainer(containerId).inspect())).toEqual(said);
      fixture.console.want(id, null);
    },
    60_000,
  );

  it('has a row, but for cards, what it is made from, who it is, and what resources.engine looks at', () => {
    const told = new Set(rows.flatMap(([, set]) => Object.keys(set)));
    const others = ['id', 'created_by', 'name', 'host', 'gpus', 'networks', 'volumes', 'volumePaths'];
    expect(Object.keys(bare).filter((field) => !told.has(field))).toEqual(others);
  });

  it('that asks for cards which no driver gives is an error in words, and no container without them', async () => {
    const id = wantNext({ gpus: { uuids: ['GPU-none'] } });
    const { message } = await fixture.console.untilStatus(id, 'error', 30_000);
    expect(message).toContain('GPU driver');
    fixture.console.want(id, null);
  }, 60_000);

  it('says that a check fails, and runs once it passes', async () => {
    const quick = { command: 'test -e /up', intervalSeconds: 1, timeoutSeconds: 5, retries: 2, startSeconds: 0 };
    const script = '/bin/busybox sleep 4; echo > /up; while true; do /bin/busybox sleep 1; done';
    const id = wantNext({ command: '/bin/sh -c', arguments: [script], healthCheck: quick });
    const failed = await fixture.console.untilStatus(id, 'error', 30_000);
    expect(failed.message).toContain('its health check fails');
    const { message } = await fixture.console.untilStatus(id, 'running', 30_000);
    expect(message).toBe('');
  }, 90_000);
});
