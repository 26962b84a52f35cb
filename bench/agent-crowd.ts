import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { ConsoleClient } from '../agent/console/console-client';
import { ConsoleSync } from '../agent/console/console-sync';
import { DesiredStore } from '../agent/console/desired-store';
import { Identity } from '../agent/console/identity';
import { LiveLink } from '../agent/console/link';
import { Reporter } from '../agent/console/reporter';
import { systemClock } from '../agent/clock';
import { createRoute } from '../agent/outbound-proxy';
import type { HeartbeatRequest } from '../lib/protocol/calls';
import type { WorkspaceSpec } from '../lib/protocol/specs/workspace';
import { spokenHere } from '../lib/protocol/version';

/** Many agents in one process, for measuring a console: their own calls and links, and nothing behind them. */
export interface CrowdNews {
  /** Heartbeats that the console took since the last question: how long each took, and when. */
  latenciesMs: number[];
  takenAtMs: number[];
  /** Agents whose last heartbeat was taken. */
  taken: number;
  linked: number;
  failures: number;
}

/** State folders are named by number. */
const [url = '', folder = '', from = '0', to = '0'] = process.argv.slice(2);
const stateDirs = Array.from({ length: Number(to) - Number(from) }, (_, at) =>
  path.join(folder, String(Number(from) + at)),
);
const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent } as never;
const news: Omit<CrowdNews, 'taken' | 'linked'> = { latenciesMs: [], takenAtMs: [], failures: 0 };
const agents: { isTaken: boolean; link: LiveLink }[] = [];

const FACTS: Omit<HeartbeatRequest, 'instance' | 'appliedRevision' | 'liveLink'> = {
  versions: { agent: '0.1.0', ...spokenHere, engine: '28.0.0', engineApi: '1.48' },
  engine: { kind: 'simulated', reachable: true, message: '' },
  capabilities: { build: true, buildKit: true, gpu: false, runtimes: ['runc'] },
  os: 'Debian GNU/Linux 12',
  platform: 'linux/amd64',
  resources: { cpuCores: 8, memoryBytes: 16e9, diskBytes: 250e9, diskFreeBytes: 100e9, gpus: [] },
  usage: { cpu: 12.5, memory: 40, load: 15 },
  bindRoots: [],
  runningJobs: [],
};

async function startOne(stateDir: string): Promise<void> {
  const identity = await Identity.load(stateDir);
  const { dispatcher } = createRoute(url);
  const client = new ConsoleClient({ consoleUrl: url, identity, clock: systemClock, dispatcher });
  const desired = new DesiredStore();
  const instance = randomUUID();
  const reporter = new Reporter({
    instance,
    clock: systemClock,
    log,
    send: (report, signal) => client.report(report, signal),
    onRevision: (revision) => sync.noteRevision(revision),
  });
  const sync: ConsoleSync = new ConsoleSync({
    client,
    desired,
    clock: systemClock,
    log,
    beat: (signal) =>
      beat(client, { ...FACTS, instance, appliedRevision: desired.revision, liveLink: link.isUp }, signal),
    onDesired: () => {
      for (const [id, spec] of desired.of('workspace')) if (spec) reporter.takeObject(runningAs(id, spec));
    },
    onResync: silent,
    onTaken: () => link.retry(),
  });
  const link: LiveLink = new LiveLink({
    clock: systemClock,
    log,
    target: () => client.linkTarget(instance),
    onOpen: (stream) => stream.fail('nothing is behind this agent'),
    onWake: (revision) => sync.noteRevision(revision),
    onUp: () => {
      sync.refresh();
      reporter.tellAll();
    },
  });
  const agent = { isTaken: false, link };
  agents.push(agent);
  sync.start();
  link.start();

  async function beat(...[to, body, signal]: [ConsoleClient, HeartbeatRequest, AbortSignal]) {
    const from = performance.now();
    try {
      const answer = await to.heartbeat(body, signal);
      news.latenciesMs.push(performance.now() - from);
      news.takenAtMs.push(Date.now());
      agent.isTaken = true;
      return answer;
    } catch (error) {
      news.failures += 1;
      agent.isTaken = false;
      throw error;
    }
  }
}

function runningAs(id: string, spec: WorkspaceSpec) {
  return {
    kind: 'workspace',
    id,
    generation: spec.generation,
    attempt: spec.attempt,
    status: 'running',
    message: '',
    containerId: id.padEnd(64, '0'),
    imageId: spec.image.id,
    exitCode: null,
    restarts: 0,
    lastLines: [],
    madeGeneration: spec.generation,
    retries: 0,
    ports: [],
  } as never;
}

process.on('message', (message: 'take') => {
  if (message !== 'take') return;
  const taken = agents.filter(({ isTaken }) => isTaken).length;
  const linked = agents.filter(({ link }) => link.isUp).length;
  process.send?.({ ...news, taken, linked } satisfies CrowdNews);
  Object.assign(news, { latenciesMs: [], takenAtMs: [], failures: 0 });
});
process.once('disconnect', () => process.exit(0));

// As machines start: one after another, over the time between two heartbeats.
for (const stateDir of stateDirs) {
  await startOne(stateDir);
  await new Promise((resolve) => setTimeout(resolve, 10_000 / stateDirs.length));
}
