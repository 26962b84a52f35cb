import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { nowMs } from '@/lib/clock';
import type { KernelResponse } from '@/lib/http/context';
import { spokenHere } from '@/lib/protocol/version';
import type { HeartbeatRequest, JobEvent, ObservedWorkspace, ReportRequest } from '@/lib/protocol/calls';
import type { Call } from './kernel-caller';

export type Caller = (call: Call) => Promise<KernelResponse>;

export interface ProofChanges {
  iatSeconds?: number;
  jti?: string;
  method?: string;
  path?: string;
  signedBody?: string;
  iss?: string;
  alg?: string;
}

const VERSIONS = { agent: '0.1.0', ...spokenHere, engine: '24.0', engineApi: '1.43' };

export function makeJoin(name: string, token: string, publicKey: string) {
  return { token, publicKey, name, environment: 'docker', engine: 'simulated', versions: VERSIONS };
}

/** An agent as a test plays it: it holds a key, signs its calls, and does nothing by itself. */
export class ScriptedAgent {
  readonly publicKey: string;
  hostId = '';
  sequence = 0;
  private readonly privateKey: KeyObject;

  constructor(
    readonly call: Caller,
    readonly instance: string = randomUUID(),
  ) {
    const pair = generateKeyPairSync('ed25519');
    this.privateKey = pair.privateKey;
    this.publicKey = pair.publicKey.export({ format: 'jwk' }).x!;
  }

  async join(name: string, token: string): Promise<KernelResponse> {
    const body = JSON.stringify(makeJoin(name, token, this.publicKey));
    const response = await this.call({ method: 'POST', url: '/api/agent/join', body });
    if (response.status === 200) this.hostId = (response.json as { hostId: string }).hostId;
    return response;
  }

  proof(method: string, path: string, body: string, changes: ProofChanges = {}): string {
    const claims = {
      iss: changes.iss ?? this.hostId,
      htm: changes.method ?? method,
      htu: `http://console.test${changes.path ?? path}`,
      iat: changes.iatSeconds ?? Math.floor(nowMs() / 1000),
      jti: changes.jti ?? randomUUID(),
      bsh: createHash('sha256')
        .update(changes.signedBody ?? body)
        .digest('base64url'),
    };
    const head = { alg: changes.alg ?? 'EdDSA', typ: 'JWT' };
    const signed = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `Bearer ${signed}.${sign(null, Buffer.from(signed), this.privateKey).toString('base64url')}`;
  }

  send(method: string, url: string, message?: unknown, changes?: ProofChanges): Promise<KernelResponse> {
    const body = message === undefined ? '' : JSON.stringify(message);
    const authorization = this.proof(method, url.split('?')[0]!, body, changes);
    return this.call({ method, url, body, headers: { authorization } });
  }

  heartbeat(overrides: Partial<HeartbeatRequest> = {}, changes?: ProofChanges): Promise<KernelResponse> {
    return this.send('POST', '/api/agent/heartbeat', { ...makeHeartbeat(this.instance), ...overrides }, changes);
  }

  desired(since = 0): Promise<KernelResponse> {
    return this.send('GET', `/api/agent/desired?since=${since}`);
  }

  report(parts: Partial<ReportRequest>): Promise<KernelResponse> {
    this.sequence += 1;
    const sentAt = nowMs();
    const empty = { instance: this.instance, sequence: this.sequence, sentAt, objects: [], steps: [], jobs: [] };
    return this.send('POST', '/api/agent/report', { ...empty, ...parts });
  }

  jobLog(jobId: string, chunks: { sequence: number; text: string }[]): Promise<KernelResponse> {
    return this.send('POST', `/api/agent/jobs/${jobId}/log`, { chunks });
  }
}

export function makeHeartbeat(instance: string): HeartbeatRequest {
  return {
    instance,
    versions: VERSIONS,
    engine: { kind: 'simulated', reachable: true, message: '' },
    capabilities: { build: true, buildKit: true, gpu: false, runtimes: ['runc'] },
    os: 'linux',
    platform: 'amd64',
    resources: { cpuCores: 4, memoryBytes: 8e9, diskBytes: 1e11, diskFreeBytes: 5e10, gpus: [] },
    appliedRevision: 0,
    runningJobs: [],
    liveLink: false,
  };
}

export function makeObserved(overrides: Partial<ObservedWorkspace> & { id: string }): ObservedWorkspace {
  return {
    kind: 'workspace',
    generation: 1,
    attempt: 0,
    status: 'running',
    message: '',
    containerId: 'c1',
    imageId: 'sha256:1',
    exitCode: null,
    restarts: 0,
    lastLines: [],
    madeGeneration: 1,
    retries: 0,
    ports: [],
    ...overrides,
  };
}

export function makeJobEvent(overrides: Partial<JobEvent> & { id: string }): JobEvent {
  return {
    status: 'done',
    message: '',
    queuePlace: 0,
    imageId: 'sha256:1',
    digest: '',
    sizeBytes: 7,
    exposedPorts: [],
    at: nowMs(),
    ...overrides,
  };
}
