import { describe, expect, it } from 'vitest';
import { type WorkspaceSpec, workspaceSpecSchema } from '../../../lib/protocol/specs/workspace';
import { compareContainer, hashSpec, ruleOf } from './compare';
import { makeContainer, makeSpec } from './plan-fixture';

/** For every field of the spec, a value that differs from the fixture's. */
const changed: { [Field in keyof WorkspaceSpec]: WorkspaceSpec[Field] } = {
  name: 'other',
  generation: 9,
  attempt: 9,
  state: 'stopped',
  image: { reference: 'a/other:2', id: '', pull: false },
  command: ['run'],
  environment: [{ name: 'A', value: '2' }],
  ports: [{ containerPort: 1, protocol: 'udp', hostPort: 2, hostIp: '' }],
  runtime: 'nvidia',
  gpus: { count: 1 },
  shmSizeBytes: 1,
  cpuLimit: 2,
  memoryLimitBytes: 9_000_000,
  autoStart: true,
  healthCheck: { command: 'true', intervalMs: 0, timeoutMs: 0, retries: 0, startMs: 0 },
  pullTimeoutMs: 1,
  remake: 9,
  order: 'stop-first',
  mounts: [{ volumeId: 'v1', path: '/data', readOnly: false }],
  networks: ['n1'],
  aliases: ['web'],
  routes: [{ scheme: 'https', hostName: 'a.example', port: 80, protection: { kind: 'none' } }],
  routedBy: 'files',
  isolation: { ownerId: 'o1', pidsLimit: 1, allowNewPrivileges: true, keepNetRaw: true },
};

describe('comparing a container with its spec', () => {
  const spec = makeSpec();
  const container = makeContainer({ specHash: hashSpec(spec) });

  const fields = Object.keys(workspaceSpecSchema.shape) as (keyof WorkspaceSpec)[];

  it('has a reason for each field that is not compared', () => {
    for (const rule of fields.map(ruleOf)) if (rule.how === 'not-compared') expect(rule.reason).not.toBe('');
  });

  it('takes no notice of a field that asks for nothing, such as one that is new', () => {
    const newer = { ...spec, devices: [], capability: '', nice: 0 } as WorkspaceSpec;
    expect(hashSpec(newer)).toBe(hashSpec(spec));
    expect(hashSpec({ ...newer, devices: ['/dev/kvm'] } as WorkspaceSpec)).not.toBe(hashSpec(spec));
  });

  it('knows the containers of agents before volumes and networks', () => {
    const ports = [{ containerPort: 1, protocol: 'tcp' as const, hostPort: 2, hostIp: '' }];
    expect(hashSpec(makeSpec())).toBe('4186a4fec641f95488e464099c63055f');
    expect(hashSpec(makeSpec({ command: ['a'], ports }))).toBe('ca25df11f4fb676cbf03232df78e4292');
  });

  it('compares whatever a container is made from: a field is let go by name here too', () => {
    const fieldsOf = (how: string) => fields.filter((field) => ruleOf(field).how === how);
    const kept = ['name', 'generation', 'attempt', 'state', 'pullTimeoutMs', 'order', 'isolation', 'aliases'];
    const isLetGo = [...kept, 'routes', 'routedBy'];
    expect(fieldsOf('not-compared')).toEqual(isLetGo);
    expect(fieldsOf('by-generation')).toEqual(['remake']);
    expect(fieldsOf('in-place')).toEqual(['cpuLimit', 'memoryLimitBytes', 'autoStart']);
  });

  it.each(Object.keys(changed) as (keyof WorkspaceSpec)[])('treats a change of %s as its rule says', (field) => {
    const { how } = ruleOf(field);
    const expected = how === 'not-compared' ? 'same' : how === 'in-place' ? 'in-place' : 'recreate';
    expect(compareContainer({ ...spec, [field]: changed[field] }, container, '')).toBe(expected);
  });

  it('makes the container anew for another image id, and for a limit that is lifted', () => {
    expect(compareContainer(spec, container, 'sha256:other')).toBe('recreate');
    const limited = makeContainer({ specHash: hashSpec(spec), limits: { ...container.limits, memoryLimitBytes: 5 } });
    expect(compareContainer(spec, limited, '')).toBe('recreate');
  });

  it('adopts a container of the redeploy that was last asked for, or a later one', () => {
    const redeployed = makeSpec({ generation: 3, remake: 3 });
    expect(compareContainer(redeployed, makeContainer({ generation: 2 }), '')).toBe('recreate');
    expect(compareContainer(redeployed, makeContainer({ generation: 3 }), '')).toBe('same');
    expect(compareContainer(makeSpec({ generation: 4, remake: 3 }), makeContainer({ generation: 3 }), '')).toBe('same');
  });

  it('makes the container anew for routes that are its labels, and not for those in a file', () => {
    const { routes } = changed;
    const other = routes.map((route) => ({ ...route, port: 81 }));
    expect(hashSpec(makeSpec({ routes, routedBy: 'files' }))).toBe(hashSpec(spec));
    expect(hashSpec(makeSpec({ routes: [], routedBy: 'labels' }))).toBe(hashSpec(spec));
    const labelled = hashSpec(makeSpec({ routes, routedBy: 'labels' }));
    expect(labelled).not.toBe(hashSpec(spec));
    expect(hashSpec(makeSpec({ routes: other, routedBy: 'labels' }))).not.toBe(labelled);
  });

  it('hashes alike whatever the order of keys', () => {
    const reordered = Object.fromEntries(Object.entries(spec).toReversed()) as WorkspaceSpec;
    expect(hashSpec(reordered)).toBe(hashSpec(spec));
  });
});
