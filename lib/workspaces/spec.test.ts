import { describe, expect, it } from 'vitest';
import { workspaceSpecSchema } from '@/lib/protocol/specs/workspace';
import {
  buildWorkspaceSpec,
  compareWorkspaceSpecs,
  type SpecHost,
  type SpecWorkspace,
  type StoredWorkspaceSpec,
  uncomparedParts,
} from './spec';
import { imageReference, type SpecImage } from '@/lib/vocabulary/image-reference';

const host: SpecHost = { id: 'h1', default_runtime: 'runc', default_gpu_runtime: 'nvidia', pull_timeout: 60 };
const image: SpecImage = {
  build_on: 'h1',
  creationType: 'generateDockerfile',
  dockerImageName: '',
  repository: 'lab',
  tag: '1',
  external: false,
  push_after_build: false,
  imageId: 'sha256:1',
};

function makeWorkspace(overrides: Partial<SpecWorkspace> = {}): SpecWorkspace {
  return {
    name: 'lab',
    host: 'h1',
    runtime: '',
    gpus: null,
    command: '',
    arguments: null,
    autoStart: false,
    shmSize: 0,
    cpuLimit: 0,
    memoryLimit: 0,
    environmentVariables: null,
    portMappings: null,
    ...overrides,
  };
}

const build = (overrides: Partial<SpecWorkspace> = {}, from = image) =>
  buildWorkspaceSpec(makeWorkspace(overrides), from, host, { generation: 2, attempt: 1 });

describe('buildWorkspaceSpec', () => {
  it('is what an agent takes', () => {
    expect(workspaceSpecSchema.parse(build())).toMatchObject({
      generation: 2,
      attempt: 1,
      state: 'running',
      pullTimeoutMs: 60_000,
    });
  });

  it('keeps the command of the image when none is given, and adds arguments to it as they are', () => {
    expect(build().command).toBeNull();
    expect(build({ command: 'run "a b"', arguments: ['c d'] }).command).toEqual(['run', 'a b', 'c d']);
  });

  it("takes the host's runtime, the one for cards with cards", () => {
    expect(build().runtime).toBe('runc');
    expect(build({ gpus: { count: 1 } }).runtime).toBe('nvidia');
    expect(build({ gpus: { uuids: [] } })).toMatchObject({ runtime: 'runc', gpus: null });
    expect(build({ runtime: 'kata', gpus: { count: 1 } }).runtime).toBe('kata');
  });

  it('names a build by its engine id on its own host, and by its reference elsewhere', () => {
    const pushed = { ...image, build_on: 'h2', push_after_build: true };
    expect(build({}, pushed).image).toEqual({ reference: 'lab:1', id: '', pull: true });
    expect(build().image).toEqual({ reference: 'lab:1', id: 'sha256:1', pull: false });
    expect(imageReference({ ...image, creationType: 'pullAnImage', dockerImageName: 'redis:7' })).toBe('redis:7');
  });
});

describe('compareWorkspaceSpecs', () => {
  const other: { [Part in keyof StoredWorkspaceSpec]: StoredWorkspaceSpec[Part] } = {
    name: 'other',
    generation: 9,
    attempt: 9,
    state: 'stopped',
    image: { reference: 'lab:1', id: 'sha256:2', pull: false },
    command: ['x'],
    environment: [{ name: 'A', value: '', secret: false }],
    ports: [{ containerPort: 1, protocol: 'tcp', hostPort: 0, hostIp: '' }],
    runtime: 'kata',
    gpus: { count: 1 },
    shmSizeBytes: 1,
    cpuLimit: 1,
    memoryLimitBytes: 1,
    autoStart: true,
    pullTimeoutMs: 1,
  };

  it.each(Object.keys(workspaceSpecSchema.shape) as (keyof StoredWorkspaceSpec)[])(
    'notices a change of %s, or says why not',
    (part) => {
      const changes = compareWorkspaceSpecs(build(), { ...build(), [part]: other[part] });
      const isCompared = !(uncomparedParts as readonly string[]).includes(part);
      expect(changes.length).toBe(isCompared ? 1 : 0);
    },
  );
});
