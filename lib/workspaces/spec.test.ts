import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { workspaceSpecSchema } from '@/lib/protocol/specs/workspace';
import {
  buildWorkspaceSpec,
  compareWorkspaceSpecs,
  type SpecHost,
  type SpecWorkspace,
  type StoredWorkspaceSpec,
  uncomparedParts,
} from './spec';
import { USUAL_ISOLATION } from '@/lib/vocabulary/host-isolation';
import { imageReference, type SpecImage } from '@/lib/vocabulary/image-reference';

const host: SpecHost = {
  id: 'h1',
  default_runtime: 'runc',
  default_gpu_runtime: 'nvidia',
  pull_timeout: 60,
  isolation: null,
  reverse_proxy: null,
};
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
    id: 'w1',
    created_by: 'u1',
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
    healthCheck: null,
    environmentVariables: null,
    portMappings: null,
    networks: [],
    volumes: [],
    volumePaths: null,
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
      remake: 0,
    });
  });

  it('keeps the command of the image when none is given, and adds arguments to it as they are', () => {
    expect(build().command).toBeNull();
    expect(build({ command: 'run "a b"', arguments: ['c d'] }).command).toEqual(['run', 'a b', 'c d']);
  });

  it('asks for a health check where there is a command, and compares it with specs that say nothing of one', () => {
    const check = { command: 'test -e /up', intervalSeconds: 1.5, timeoutSeconds: 2, retries: 4, startSeconds: 10 };
    const asked = build({ healthCheck: check });
    expect(asked.healthCheck).toEqual({
      command: 'test -e /up',
      intervalMs: 1500,
      timeoutMs: 2000,
      retries: 4,
      startMs: 10_000,
    });
    expect(build({ healthCheck: { ...check, command: ' ' } }).healthCheck).toBeNull();
    const { healthCheck: _none, ...older } = build();
    expect(compareWorkspaceSpecs(older as StoredWorkspaceSpec, build())).toEqual([]);
    expect(compareWorkspaceSpecs(older as StoredWorkspaceSpec, asked)).toHaveLength(1);
  });

  it("takes the host's runtime, the one for cards with cards", () => {
    expect(build().runtime).toBe('runc');
    expect(build({ gpus: { count: 1 } }).runtime).toBe('nvidia');
    expect(build({ gpus: { uuids: [] } })).toMatchObject({ runtime: 'runc', gpus: null });
    expect(build({ runtime: 'kata', gpus: { count: 1 } }).runtime).toBe('kata');
  });

  it("takes the host's limits where the workspace sets none, and says how far it is kept apart", () => {
    const isolation = { ...USUAL_ISOLATION, cpuLimit: 2, memoryLimit: 512, pidsLimit: 9, keepNetRaw: true };
    const on = (overrides: Partial<SpecWorkspace>) =>
      buildWorkspaceSpec(makeWorkspace(overrides), image, { ...host, isolation }, { generation: 2, attempt: 1 });
    expect(on({})).toMatchObject({ cpuLimit: 2, memoryLimitBytes: 512 });
    expect(on({ cpuLimit: 1, memoryLimit: 64 })).toMatchObject({ cpuLimit: 1, memoryLimitBytes: 64 });
    expect(on({}).isolation).toEqual({ ownerId: 'u1', pidsLimit: 9, allowNewPrivileges: false, keepNetRaw: true });
    expect(build({ created_by: '' }).isolation).toMatchObject({ ownerId: 'w1', pidsLimit: 4096, keepNetRaw: false });
  });

  it('names a build by its engine id on its own host, and by its reference elsewhere', () => {
    const pushed = { ...image, build_on: 'h2', push_after_build: true };
    expect(build({}, pushed).image).toEqual({ reference: 'lab:1', id: '', pull: true });
    expect(build().image).toEqual({ reference: 'lab:1', id: 'sha256:1', pull: false });
    expect(imageReference({ ...image, creationType: 'pullAnImage', dockerImageName: 'redis:7' })).toBe('redis:7');
  });
});

describe('an image that was pulled anew', () => {
  const own = 'berth/abcdefghij12345:7';
  const pulled = { ...image, creationType: 'pullAnImage', dockerImageName: 'redis:7' };
  const tagged = (tag: string, imageId = 'sha256:1') =>
    buildWorkspaceSpec(makeWorkspace({}), { ...pulled, imageId }, host, { generation: 2, attempt: 1, tag });

  it('is wanted by its name, whatever its build was, and counts as that build until there is another', () => {
    const fresh = tagged(`${own}-w23456789012345-3`);
    expect(fresh.image).toMatchObject({ reference: 'redis:7', tag: `${own}-w23456789012345-3`, id: '', pull: true });
    expect(compareWorkspaceSpecs(fresh, tagged(own))).toEqual([]);
    expect(compareWorkspaceSpecs(fresh, tagged(`${own}-w23456789012345-4`))).toEqual([]);
    const newer = tagged('berth/abcdefghij12345:8', 'sha256:2');
    expect(compareWorkspaceSpecs(fresh, newer).map(({ field }) => field)).toEqual(['image']);
  });
});

describe('routes', () => {
  const routes = [{ scheme: 'https', hostName: 'a.example', port: 80, protection: { kind: 'forwardAuth' } }] as const;
  const proxied = (type: 'none' | 'traefikDockerProvider' | 'traefikFileProvider', isAdded = true) => {
    const texts = { containerName: 't', entryPoint: 'web', certResolver: 'le', configFileLocation: '/etc/t' };
    const at = { ...host, reverse_proxy: { isAdded, type, ...texts } };
    return buildWorkspaceSpec(makeWorkspace(), image, at, { generation: 1, attempt: 0, routes: [...routes] });
  };

  it('are asked for where the host has a reverse proxy, the way that it hears of them', () => {
    expect(proxied('traefikDockerProvider')).toMatchObject({ routes, routedBy: 'labels' });
    expect(proxied('traefikFileProvider')).toMatchObject({ routes, routedBy: 'files' });
    for (const without of [proxied('none'), proxied('traefikFileProvider', false), build()]) {
      expect(without).toMatchObject({ routes: [], routedBy: '' });
    }
    const [labels, files] = [proxied('traefikDockerProvider'), proxied('traefikFileProvider')];
    expect(compareWorkspaceSpecs(labels, files).map(({ field }) => field)).toEqual(['externalUrls']);
  });

  it('can not be read by an agent that would leave them out', () => {
    // As agents of protocol 5 had it.
    const before = workspaceSpecSchema.extend({ pullTimeoutMs: z.number().min(0).optional() });
    expect(workspaceSpecSchema.safeParse(proxied('traefikFileProvider')).success).toBe(true);
    expect(before.safeParse(proxied('traefikFileProvider')).success).toBe(false);
    expect(before.safeParse(proxied('none')).success).toBe(true);
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
    healthCheck: { command: 'true', intervalMs: 0, timeoutMs: 0, retries: 0, startMs: 0 },
    pullTimeoutMs: 1,
    remake: 1,
    order: 'stop-first',
    mounts: [{ volumeId: 'v1', path: '/data', readOnly: true }],
    networks: ['n1'],
    aliases: ['other'],
    routes: [{ scheme: 'https', hostName: 'a.example', port: 80, protection: { kind: 'none' } }],
    routedBy: 'files',
    isolation: { ownerId: 'o1', pidsLimit: 1, allowNewPrivileges: true, keepNetRaw: true },
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
