import type { ObservedProxy } from '../../../lib/protocol/observed-proxy';
import type { ProxySpec } from '../../../lib/protocol/specs/proxy';
import type { AgentClock } from '../../clock';
import type { Engine } from '../../engines/engine';
import { EngineError, toMessage } from '../../engines/engine-error';
import type { EngineProxies, ObservedProxyContainer } from '../../engines/engine-proxies';
import type { AgentLog } from '../../log';
import type { Kind, ObjectToPlan, Planned } from '../kind';
import { quoteLastLines, readLastLines } from '../last-lines';
import { retryDelayMs } from '../retry-delay';
import { deployProxy, removeProxy } from './deploy-proxy';
import { hashProxy } from './hash-proxy';
import type { ProxyFolder } from './proxy-folder';

const NOT_HERE = 'The engine of this host runs no Traefik for Berth.';
/** A proxy that dislikes its configuration ends within that time. */
const SETTLED_MS = 2000;
/** The same of one that has ended before. */
const RECOVERED_MS = 15_000;

type Containers = ObservedProxyContainer[];
type State = Pick<ObservedProxy, 'status' | 'message'> & { lookAgainMs?: number };

interface Failure {
  key: string;
  message: string;
  retries: number;
  retryAtMs: number;
}

export interface ProxyOptions {
  hostId: string;
  engine: Engine;
  folder: ProxyFolder;
  clock: AgentClock;
  log: AgentLog;
  onObject(object: ObservedProxy): void;
}

/** Brings the host's reverse proxy to what the console wants: one container, made anew only when something of it changed. */
export class ProxyReconciler implements Kind<'proxy', Containers> {
  readonly name = 'proxy';
  private failure: Failure | undefined;
  /** When a start of a container was first seen, by the agent's own clock. */
  private firstSeen = { start: '', atMs: 0 };
  /** What it said when it ended by itself last. */
  private ended = { containerId: '', words: '' };

  constructor(private readonly options: ProxyOptions) {}

  async observe(): Promise<ReadonlyMap<string, Containers>> {
    const { engine, hostId } = this.options;
    const found = (await engine.proxies?.observe(hostId)) ?? [];
    return new Map(found.length > 0 ? [[hostId, found]] : []);
  }

  isSuperseded(begun: ProxySpec | null, wanted: ProxySpec | null): boolean {
    return JSON.stringify(begun) !== JSON.stringify(wanted);
  }

  async plan({ id, spec, seen = [] }: ObjectToPlan<ProxySpec, Containers>): Promise<Planned> {
    const { proxies } = this.options.engine;
    if (!proxies) return this.done({ id, spec, seen }, { status: spec ? 'error' : 'absent', message: NOT_HERE });
    if (id !== this.options.hostId) {
      return this.done({ id, spec, seen }, { status: spec ? 'error' : 'absent', message: 'A host has one proxy.' });
    }
    if (spec === null) {
      if (seen.length === 0) return this.done({ id, spec, seen }, { status: 'absent', message: '' });
      return this.work({ id, spec, seen }, 'Being removed', () => removeProxy(seen, this.partsOf(proxies)));
    }
    return this.planWanted({ id, spec, seen }, proxies);
  }

  private async planWanted(object: Wanted & { spec: ProxySpec }, proxies: EngineProxies): Promise<Planned> {
    const { id, spec, seen } = object;
    const { engine, folder } = this.options;
    const [current] = seen;
    const deploy = (signal: AbortSignal): Promise<void> => {
      const onStep = (message: string): void => this.tell(object, { status: 'pending', message });
      return deployProxy(spec, seen, { ...this.partsOf(proxies), signal, onStep });
    };
    const isMade = seen.length === 1 && current?.name === spec.containerName && current.specHash === hashProxy(spec);
    try {
      if (!isMade || !current || !(await folder.isCurrent(spec.folder, spec.config))) {
        return this.work(object, 'Being deployed', deploy);
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return this.done(object, { status: 'error', message: error.message, lookAgainMs: RECOVERED_MS });
    }
    if (['created', 'exited', 'dead', 'paused'].includes(current.state)) {
      return this.work({ id, spec, seen }, 'Being started', () => engine.startContainer(current.containerId));
    }
    return this.done(object, await this.stateOf(current));
  }

  /** Of a container that the engine runs, or tries to. */
  private async stateOf(container: ObservedProxyContainer): Promise<State> {
    const { containerId, state, restarts, exitCode } = container;
    if (state === 'restarting' || (restarts > 0 && this.ended.containerId !== containerId)) {
      const said = quoteLastLines(await readLastLines(this.options.engine, containerId));
      this.ended = { containerId, words: `It ends by itself again and again, with code ${exitCode}.${said}` };
    }
    const upMs = this.upMsOf(container);
    const neededMs = restarts > 0 ? RECOVERED_MS : SETTLED_MS;
    if (state === 'running' && upMs >= neededMs) return { status: 'running', message: '' };
    const lookAgainMs = state === 'running' ? neededMs - upMs : RECOVERED_MS;
    if (restarts > 0 || state === 'restarting') return { status: 'error', message: this.ended.words, lookAgainMs };
    return { status: 'pending', message: 'Starting', lookAgainMs };
  }

  /** The engine's clock may be another than ours. */
  private upMsOf({ containerId, startedAtMs }: ObservedProxyContainer): number {
    const now = this.options.clock.now();
    const start = `${containerId} ${startedAtMs}`;
    if (this.firstSeen.start !== start) this.firstSeen = { start, atMs: now };
    return Math.max(now - startedAtMs, now - this.firstSeen.atMs, 0);
  }

  private done(object: Wanted, state: State): Planned {
    this.failure = undefined;
    return { report: () => this.tell(object, state), lookAgainMs: state.lookAgainMs };
  }

  /** Something is to be done; after a failure not before its time. */
  private work(object: Wanted, message: string, act: (signal: AbortSignal) => Promise<void>): Planned {
    const key = JSON.stringify(object.spec);
    const known = this.failure?.key === key ? this.failure : undefined;
    const report = (): void =>
      this.tell(object, known ? { status: 'error', message: known.message } : { status: 'pending', message }, known);
    const waitMs = (known?.retryAtMs ?? 0) - this.options.clock.now();
    if (known && waitMs > 0) return { report, lookAgainMs: waitMs };
    return { report, apply: (signal) => this.run({ key, retries: known?.retries ?? 0 }, () => act(signal), signal) };
  }

  private async run(
    { key, retries: before }: Pick<Failure, 'key' | 'retries'>,
    act: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await act();
      this.failure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      const { clock, log } = this.options;
      const retries = before + 1;
      const message = toMessage(error);
      log.warn({ retries, error: message }, 'The reverse proxy could not be put right');
      this.failure = { key, message, retries, retryAtMs: clock.now() + retryDelayMs(before, () => clock.random()) };
    }
  }

  private tell({ id, spec, seen }: Wanted, { status, message }: State, failure?: Failure): void {
    const [current] = seen;
    this.options.onObject({
      kind: this.name,
      id,
      status,
      message,
      containerId: current?.containerId ?? '',
      image: spec?.image.reference ?? '',
      startedAt: current?.state === 'running' ? current.startedAtMs : 0,
      retries: failure?.retries ?? 0,
    });
  }

  private partsOf(proxies: EngineProxies) {
    const { engine, hostId, folder } = this.options;
    return { engine, proxies, hostId, folder };
  }
}

interface Wanted {
  id: string;
  spec: ProxySpec | null;
  seen: Containers;
}
