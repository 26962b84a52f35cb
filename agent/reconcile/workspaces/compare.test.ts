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
  pullTimeoutMs: 1,
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

  it('compares whatever a container is made from: a field is let go by name here too', () => {
    const fieldsOf = (how: string) => fields.filter((field) => ruleOf(field).how === how);
    expect(fieldsOf('not-compared')).toEqual(['name', 'generation', 'attempt', 'state', 'pullTimeoutMs']);
    expect(fieldsOf('in-place')).toEqual(['cpuLimit', 'memoryLimitBytes', 'autoStart']);
  });

  it.each(Object.keys(changed) as (keyof WorkspaceSpec)[])('treats a change of %s as its rule says', (field) => {
    const expected = { recreate: 'recreate', 'in-place': 'in-place', 'not-compared': 'same' }[ruleOf(field).how];
    expect(compareContainer({ ...spec, [field]: changed[field] }, container, '')).toBe(expected);
  });

  it('makes the container anew for another image id, and for a limit that is lifted', () => {
    expect(compareContainer(spec, container, 'sha256:other')).toBe('recreate');
    const limited = makeContainer({ specHash: hashSpec(spec), limits: { ...container.limits, memoryLimitBytes: 5 } });
    expect(compareContainer(spec, limited, '')).toBe('recreate');
  });

  it('hashes alike whatever the order of keys', () => {
    const reordered = Object.fromEntries(Object.entries(spec).toReversed()) as WorkspaceSpec;
    expect(hashSpec(reordered)).toBe(hashSpec(spec));
  });
});
