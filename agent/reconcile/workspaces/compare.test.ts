import { describe, expect, it } from 'vitest';
import { type WorkspaceSpec, workspaceSpecSchema } from '../../../lib/protocol/specs/workspace';
import { compareContainer, fieldRules, hashSpec } from './compare';
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

  it('has a rule for every field of the spec, and a reason for each that is not compared', () => {
    expect(Object.keys(fieldRules).toSorted()).toEqual(Object.keys(workspaceSpecSchema.shape).toSorted());
    for (const rule of Object.values(fieldRules)) if (rule.how === 'not-compared') expect(rule.reason).not.toBe('');
  });

  it('compares whatever a container is made from: a field is let go by name here too', () => {
    const fieldsOf = (how: string) =>
      Object.entries(fieldRules).flatMap(([field, rule]) => (rule.how === how ? [field] : []));
    expect(fieldsOf('not-compared')).toEqual(['name', 'generation', 'attempt', 'state', 'pullTimeoutMs']);
    expect(fieldsOf('in-place')).toEqual(['cpuLimit', 'memoryLimitBytes', 'autoStart']);
  });

  it.each(Object.keys(changed) as (keyof WorkspaceSpec)[])('treats a change of %s as its rule says', (field) => {
    const expected = { recreate: 'recreate', 'in-place': 'in-place', 'not-compared': 'same' }[fieldRules[field].how];
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
