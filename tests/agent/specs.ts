import type { HostSpec } from '@/lib/protocol/specs/host';
import { reverseProxySpecSchema } from '@/lib/protocol/specs/route';
import type { JobSpec } from '@/lib/protocol/specs/job';
import type { WorkspaceSpec } from '@/lib/protocol/specs/workspace';

export function makeWorkspaceSpec(overrides: Partial<WorkspaceSpec> = {}): WorkspaceSpec {
  return {
    name: 'Jupyter',
    generation: 1,
    attempt: 0,
    state: 'running',
    image: { reference: 'berth/test:1', id: '', pull: false },
    command: null,
    environment: [],
    ports: [],
    runtime: '',
    gpus: null,
    shmSizeBytes: 0,
    cpuLimit: 0,
    memoryLimitBytes: 0,
    autoStart: false,
    healthCheck: null,
    pullTimeoutMs: 60_000,
    remake: 0,
    order: 'start-first',
    isolation: { ownerId: '', pidsLimit: 4096, allowNewPrivileges: false, keepNetRaw: false },
    mounts: [],
    networks: [],
    aliases: [],
    routes: [],
    routedBy: '',
    ...overrides,
  };
}

export function makeBuildSpec(overrides: Partial<Extract<JobSpec, { job: 'build' }>> = {}): JobSpec {
  return {
    job: 'build',
    imageId: 'image1',
    reference: 'berth/built:1',
    timeoutMs: 60_000,
    cancel: false,
    dockerfile: 'FROM scratch\nCOPY busybox /bin/busybox\n',
    files: [],
    pullBase: false,
    pushAfterBuild: false,
    labels: {},
    ...overrides,
  };
}

export function makeHostSpec(overrides: Partial<HostSpec> = {}): HostSpec {
  const runtimes = { defaultRuntime: '', defaultGpuRuntime: '' };
  return {
    name: 'local',
    enabled: true,
    ...runtimes,
    registryAuths: [],
    buildWidth: 1,
    sharedBindFolders: false,
    reverseProxy: reverseProxySpecSchema.parse({}),
    ...overrides,
  };
}
