import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash, createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  type HeartbeatRequest,
  heartbeatRequestSchema,
  type JobEvent,
  jobEventSchema,
  jobLogRequestSchema,
  joinRequestSchema,
  observedNetworkSchema,
  type ObservedResource,
  observedVolumeSchema,
  type ObservedWorkspace,
  observedWorkspaceSchema,
  reportRequestSchema,
  type StepEvent,
  stepEventSchema,
} from '@/lib/protocol/calls';
import { type ObservedProxy, observedProxySchema } from '@/lib/protocol/observed-proxy';
import { createMux, type Mux } from '@/lib/protocol/mux';
import type { DesiredObject, UnsupportedObject } from '@/lib/protocol/specs/desired';
import type { HostSpec } from '@/lib/protocol/specs/host';
import type { JobSpec } from '@/lib/protocol/specs/job';
import type { NetworkSpec } from '@/lib/protocol/specs/network';
import type { ProxySpec } from '@/lib/protocol/specs/proxy';
import type { VolumeSpec } from '@/lib/protocol/specs/volume';
import type { WorkspaceSpec } from '@/lib/protocol/specs/workspace';

type Wanted =
  | { kind: 'workspace'; spec: WorkspaceSpec }
  | { kind: 'volume'; spec: VolumeSpec }
  | { kind: 'network'; spec: NetworkSpec }
  | { kind: 'proxy'; spec: ProxySpec }
  | { kind: 'job'; spec: JobSpec }
  | { kind: 'host'; spec: HostSpec };

/** The console's end of the agent protocol, in memory: enough of it to run a real agent against. */
export class FakeConsole {
  readonly hostId: string;
  readonly statuses: ObservedWorkspace[] = [];
  readonly resources: ObservedResource[] = [];
  readonly proxies: ObservedProxy[] = [];
  readonly steps: StepEvent[] = [];
  readonly jobEvents: JobEvent[] = [];
  readonly unsupported: UnsupportedObject[] = [];
  readonly heartbeats: HeartbeatRequest[] = [];
  readonly logText = new Map<string, string>();
  readonly problems: string[] = [];
  heartbeatSeconds = 60;
  /** Put into every answer, as a console of another version would. */
  extraWords: Record<string, unknown> = {};
  /** Added to what the console says is the time; proofs that are off by more than five minutes are refused. */
  clockOffsetMs = 0;
  /** How many calls are answered with 503 from here on. */
  failCalls = 0;
  link: { mux: Mux; socket: WebSocket } | undefined;
  /** Path and query of the newest link. */
  linkUrl = '';
  private readonly server: Server;
  private readonly sockets: WebSocketServer;
  private readonly objects = new Map<
    string,
    Pick<DesiredObject, 'id' | 'revision'> & { kind: string; spec: unknown }
  >();
  private readonly logSequence = new Map<string, number>();
  private readonly seenProofs = new Set<string>();
  private publicKey = '';
  private revision = 0;
  private lastReport = { instance: '', sequence: 0 };
  private readonly waiters = new Set<() => void>();

  constructor(hostId: string) {
    this.hostId = hostId;
    this.server = createServer((request, response) => {
      this.answer(request).then(
        ({ status, body }) =>
          response
            .writeHead(status, { 'content-type': 'application/json' })
            .end(body === undefined ? '' : JSON.stringify(body)),
        (error: unknown) => {
          this.problems.push(String(error));
          response.writeHead(500).end();
        },
      );
    });
    this.sockets = new WebSocketServer({ server: this.server, path: '/api/agent/link', perMessageDeflate: false });
    this.sockets.on('connection', (socket, request) => {
      this.linkUrl = request.url ?? '';
      const mux = createMux({ socket });
      this.link = { mux, socket };
      socket.on('message', (data) => mux.receive(data as Buffer));
      socket.on('close', () => mux.close('closed'));
      this.wakeWaiters();
    });
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    this.sockets.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Wants something of the host and wakes it. `null` is a tombstone. */
  want(id: string, wanted: Wanted | null): void {
    this.wantRaw({ kind: wanted?.kind ?? 'workspace', id, spec: wanted?.spec ?? null });
  }

  /** The same for what only a newer console knows. */
  wantRaw(wanted: { kind: string; id: string; spec: unknown }): void {
    this.revision += 1;
    this.objects.set(`${wanted.kind} ${wanted.id}`, { ...wanted, revision: this.revision });
    this.link?.mux.wake(this.revision);
  }

  status(workspaceId: string): ObservedWorkspace | undefined {
    return this.statuses.findLast((status) => status.id === workspaceId);
  }

  /** Resolves when the condition holds, looked at after every call; fails after the time. */
  async until<T>(condition: () => T | undefined | false, timeoutMs = 10_000): Promise<T> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const value = condition();
      if (value !== undefined && value !== false) return value;
      if (Date.now() > deadline)
        throw new Error(
          `not reached in time: ${condition.toString()}; last status ${JSON.stringify(this.statuses.at(-1))}; jobs ${JSON.stringify(this.jobEvents)}`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, 50);
        const waiters = this.waiters;
        function done(): void {
          clearTimeout(timer);
          waiters.delete(done);
          resolve();
        }
        waiters.add(done);
      });
    }
  }

  /** Resolves with what was told last of a volume or a network once that has the status. */
  untilResource(id: string, status: ObservedResource['status']): Promise<ObservedResource> {
    return this.until(() => {
      const last = this.resources.findLast((resource) => resource.id === id);
      return last?.status === status ? last : undefined;
    }, 30_000);
  }

  untilStatus(
    workspaceId: string,
    status: ObservedWorkspace['status'],
    timeoutMs?: number,
  ): Promise<ObservedWorkspace> {
    return this.until(
      () => (this.status(workspaceId)?.status === status ? this.status(workspaceId) : undefined),
      timeoutMs,
    );
  }

  untilJob(jobId: string, status: JobEvent['status'], timeoutMs?: number): Promise<JobEvent> {
    return this.until(() => this.jobEvents.find((event) => event.id === jobId && event.status === status), timeoutMs);
  }

  private wakeWaiters(): void {
    for (const waiter of [...this.waiters]) waiter();
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body?: unknown }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const url = new URL(request.url ?? '', 'http://console');
    if (this.failCalls > 0) {
      this.failCalls -= 1;
      return { status: 503 };
    }
    if (url.pathname === '/api/agent/join') return this.join(JSON.parse(text));
    const refusal = await this.checkProof(request, { text, path: url.pathname });
    if (refusal)
      return {
        status: 401,
        body: { code: 401, message: refusal, data: { agent: { code: refusal, message: refusal } }, now: this.now() },
      };
    const { status, body } = this.route(url, text ? JSON.parse(text) : undefined);
    setImmediate(() => this.wakeWaiters());
    return { status, body: body && { ...body, ...this.extraWords } };
  }

  private route(url: URL, body: unknown): { status: number; body?: object } {
    if (url.pathname === '/api/agent/heartbeat') {
      this.heartbeats.push(heartbeatRequestSchema.parse(body));
      const heartbeatIntervalSeconds = this.heartbeatSeconds;
      return {
        status: 200,
        body: { now: this.now(), revision: this.revision, heartbeatIntervalSeconds, reconciliationIntervalSeconds: 60 },
      };
    }
    if (url.pathname === '/api/agent/desired') return this.desired(Number(url.searchParams.get('since')));
    if (url.pathname === '/api/agent/report') return this.report(body);
    const job = /^\/api\/agent\/jobs\/([^/]+)\/log$/.exec(url.pathname)?.[1];
    return job ? this.jobLog(job, body) : { status: 404 };
  }

  private join(body: unknown): { status: number; body: unknown } {
    const { token, publicKey } = joinRequestSchema.parse(body);
    if (token !== 'token') {
      const agent = { code: 'agent_bad_token', message: 'The token is not valid' };
      return { status: 401, body: { code: 401, message: '', data: { agent } } };
    }
    this.publicKey = publicKey;
    return { status: 200, body: { hostId: this.hostId, now: this.now() } };
  }

  private async checkProof(request: IncomingMessage, { text, path }: { text: string; path: string }): Promise<string> {
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: this.publicKey }, format: 'jwk' });
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['EdDSA'],
      issuer: this.hostId,
      currentDate: new Date(0),
    });
    if (Math.abs((payload.iat ?? 0) * 1000 - this.now()) > 300_000) return 'agent_clock_skew';
    const isSame =
      payload.htm === request.method &&
      new URL(String(payload.htu)).pathname === path &&
      payload.bsh === createHash('sha256').update(text).digest('base64url');
    if (!isSame || !payload.jti || this.seenProofs.has(payload.jti)) return 'agent_bad_proof';
    this.seenProofs.add(payload.jti);
    return '';
  }

  private desired(since: number): { status: number; body?: object } {
    if (since === this.revision) return { status: 204 };
    const objects = [...this.objects.values()].filter((object) => object.revision > since);
    return { status: 200, body: { now: this.now(), revision: this.revision, full: since === 0, objects } };
  }

  private report(body: unknown): { status: number; body: object } {
    const report = reportRequestSchema.parse(body);
    const isNew = report.instance !== this.lastReport.instance || report.sequence > this.lastReport.sequence;
    if (isNew) {
      this.lastReport = report;
      for (const news of report.objects) {
        if (news.kind === 'volume') this.resources.push(observedVolumeSchema.parse(news));
        else if (news.kind === 'network') this.resources.push(observedNetworkSchema.parse(news));
        else if (news.kind === 'proxy') this.proxies.push(observedProxySchema.parse(news));
        else this.statuses.push(observedWorkspaceSchema.parse(news));
      }
      this.steps.push(...report.steps.map((news) => stepEventSchema.parse(news)));
      this.unsupported.push(...report.unsupported);
      this.jobEvents.push(...report.jobs.map((news) => jobEventSchema.parse(news)));
    }
    return { status: 200, body: { now: this.now(), acknowledged: report.sequence, revision: this.revision } };
  }

  private jobLog(jobId: string, body: unknown): { status: number; body: object } {
    let last = this.logSequence.get(jobId) ?? 0;
    for (const chunk of jobLogRequestSchema.parse(body).chunks) {
      if (chunk.sequence !== last + 1) continue;
      last = chunk.sequence;
      this.logText.set(jobId, (this.logText.get(jobId) ?? '') + chunk.text);
    }
    this.logSequence.set(jobId, last);
    return { status: 200, body: { acknowledged: last } };
  }

  private now(): number {
    return Date.now() + this.clockOffsetMs;
  }
}
