import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { ObservedContainer } from '../../engines/engine';
import { hashSpec } from './compare';

export function makeSpec(overrides: Partial<WorkspaceSpec> = {}): WorkspaceSpec {
  return {
    name: 'My Workspace!',
    generation: 1,
    attempt: 0,
    state: 'running',
    image: { reference: 'a/b:1', id: '', pull: false },
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
    pullTimeoutMs: 0,
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

/** A running container that fits `makeSpec()`. */
export function makeContainer(overrides: Partial<ObservedContainer> = {}): ObservedContainer {
  return {
    containerId: 'c1',
    name: 'berth-my-workspace-w1-1',
    workspaceId: 'w1',
    generation: 1,
    specHash: hashSpec(makeSpec()),
    imageId: 'sha256:image',
    state: 'running',
    health: 'none',
    healthMessage: '',
    healthPatienceMs: 60_000,
    exitCode: 0,
    outOfMemory: false,
    restarts: 0,
    createdAt: '2026-01-01',
    limits: { cpuLimit: 0, memoryLimitBytes: 0, autoStart: false },
    ports: [],
    networks: [],
    address: '',
    ...overrides,
  };
}
