import { isFilesOpen } from '../lib/protocol/file-streams';
import { isVolumeOpen } from '../lib/protocol/volume-streams';
import { isMeasuresOpen } from '../lib/protocol/measure-streams';
import { isTerminalOpen } from '../lib/protocol/streams';
import { type AgentClock, systemClock } from './clock';
import { ConsoleClient } from './console/console-client';
import { ConsoleSync } from './console/console-sync';
import { createEngine } from './create-engine';
import { CleanUp } from './disk/clean-up';
import { createExamination } from './doctor/examine-host';
import { reportNvidia } from './doctor/nvidia-report';
import { DesiredStore } from './console/desired-store';
import type { Engine, EngineEvent } from './engines/engine';
import { toMessage } from './engines/engine-error';
import { Identity } from './console/identity';
import { Inventory } from './inventory';
import { createJobRunner } from './jobs/create-runner';
import { JobJournal } from './jobs/journal';
import { ensureJoined } from './console/join';
import type { JoinTokenSource } from './console/join-token';
import { LiveLink } from './console/link';
import type { AgentLog } from './log';
import { answer } from './streams/answers';
import { ContainerNews } from './streams/container-news';
import { isPresence, Presence } from './measures/presence';
import { type HostSampler, openHostSampler } from './measures/host-sampler';
import { Sampler } from './measures/sampler';
import { serveFiles } from './streams/files';
import { serveLogs } from './streams/logs';
import { serveMeasures, serveQuiet } from './streams/measures';
import { serveRemoteDigest, serveSignIn } from './streams/sign-in';
import { askTraefik } from './streams/traefik';
import { Tunnels } from './streams/tunnels';
import { HostShell } from './shell/host-shell';
import { TerminalMarks } from './streams/terminal-marks';
import { Terminals } from './streams/terminals';
import { Uploads } from './streams/uploads';
import { serveVolumes } from './streams/volumes';
import { createRoute, type ProxySettings } from './outbound-proxy';
import { Routing } from './routes/routing';
import { ReconcileLoop } from './reconcile/loop';
import { NetworkReconciler } from './reconcile/networks/reconciler';
import { ProxyFolder } from './reconcile/proxy/proxy-folder';
import { ProxyReconciler } from './reconcile/proxy/reconciler';
import { Supplies } from './reconcile/resources/supplies';
import { BindFolders } from './reconcile/volumes/bind-folders';
import { VolumeReconciler } from './reconcile/volumes/reconciler';
import { MemoryStore } from './reconcile/workspaces/memory-store';
import { waitFor } from './wait';
import { watchReachability } from './watch-reachability';
import { WorkspaceReconciler } from './reconcile/workspaces/reconciler';
import { markProcess } from './console/process-mark';
import { Reporter } from './console/reporter';

const STOP_PATIENCE_MS = 2000;

/** A join token is needed for the first start only. */
export interface AgentConfig extends JoinTokenSource {
  consoleUrl: string;
  /** Which console to obey; the first that signs where nothing is said. */
  consoleKey?: string | undefined;
  hostName: string;
  /** Keys, journal and memory; made when missing. One agent at a time may use it. */
  stateDir: string;
  engine: 'docker' | 'simulated' | Engine;
  /** As DOCKER_HOST; the usual socket when left out. */
  dockerHost?: string | undefined;
  dockerCertPath?: string | undefined;
  networkPool?: string | undefined;
  /** Absolute folders that bind mounts may lie under. */
  bindRoots?: string[] | undefined;
  /** Hosts and addresses of the own network that builds may fetch files from. */
  allowedSources?: string[] | undefined;
  /** Whether admins of the console may open a shell on this machine. */
  hostTerminal?: boolean | undefined;
  log: AgentLog;
  clock?: AgentClock | undefined;
  proxy?: ProxySettings | undefined;
  /** Gives up waiting for a console while joining. */
  signal?: AbortSignal | undefined;
}

export interface RunningAgent {
  hostId: string;
  /** Ends everything that the agent runs; containers stay as they are. */
  stop(): Promise<void>;
}

/**
 * Starts an agent in this process. Resolves once the host has joined, which waits for a console that isn't listening yet;
 * a host that joined before resolves at once. Rejects when the console refuses the token or there is none.
 */
export async function startAgent(config: AgentConfig): Promise<RunningAgent> {
  const parts = await assemble(config);
  const { identity, client, engine, inventory, dispatcher, clock } = parts;
  const signal = config.signal ?? new AbortController().signal;
  try {
    const { hostName, joinToken, joinTokenFile, log } = config;
    const tokens = { joinToken, joinTokenFile };
    const hostId = await ensureJoined({ ...tokens, client, identity, engine, inventory, hostName, clock, log, signal });
    return await run(config, { ...parts, hostId });
  } catch (error) {
    await engine.close();
    await dispatcher.destroy();
    throw error;
  }
}

async function assemble(config: AgentConfig) {
  const clock = config.clock ?? systemClock;
  const engine = createEngine(config);
  const identity = await Identity.load(config.stateDir);
  if (config.consoleKey && identity.consoleKey === '') await identity.setConsoleKey(config.consoleKey);
  const consoleUrl = config.consoleUrl.replace(/\/+$/, '');
  const { dispatcher, linkAgent } = createRoute(consoleUrl, config.proxy);
  const client = new ConsoleClient({ consoleUrl, identity, clock, dispatcher });
  const hostShell = new HostShell(config.hostTerminal ?? false);
  const inventory = new Inventory({ engine, hostShell, stateDir: config.stateDir, bindRoots: config.bindRoots ?? [] });
  return { clock, engine, identity, dispatcher, linkAgent, client, inventory, hostShell };
}

type Parts = Awaited<ReturnType<typeof assemble>> & { hostId: string };

async function run(config: AgentConfig, parts: Parts): Promise<RunningAgent> {
  const { hostId, client, engine, dispatcher, clock } = parts;
  const { log } = config;
  const { instance, replaces } = await markProcess(config.stateDir, (words) => log.error({}, words));
  const stopping = new AbortController();
  const desired = new DesiredStore();
  const { memory, journal } = await loadState(config);

  const reporter = new Reporter({
    instance,
    clock,
    log,
    send: (report, signal) => client.report(report, signal),
    onRevision: (revision) => sync.noteRevision(revision),
  });
  const onObject = reporter.takeObject.bind(reporter);
  const onStep = reporter.takeStep.bind(reporter);
  const onUnknown = reporter.setUnknown.bind(reporter);
  const onEngine = watchReachability(() => sync.refresh());
  const supplies = new Supplies();
  const shared = { hostId, log, clock, supplies, onObject };
  const kinds = [
    new VolumeReconciler(engine.volumes, new BindFolders(config.bindRoots ?? []), shared),
    new NetworkReconciler(engine.networks, shared),
    new WorkspaceReconciler({ ...shared, engine, memory, routing: new Routing({ engine, hostId, log }), onStep }),
    new ProxyReconciler({ ...shared, engine, folder: new ProxyFolder(config.bindRoots ?? []) }),
  ];
  const news = new ContainerNews();
  const onEvent = ({ workspaceId }: EngineEvent): void => news.tell(workspaceId);
  const loop = new ReconcileLoop({ engine, hostId, log, clock, kinds, onEngine, onUnknown, onEvent });
  const jobs = createJobRunner({ config, ...parts, journal, reporter, stopping });
  const sync: ConsoleSync = new ConsoleSync({
    client,
    desired,
    clock,
    log,
    beat: async (signal) => {
      const facts = await parts.inventory.read();
      const usage = hostSampler.usage();
      const state = {
        ...(usage && { usage }),
        appliedRevision: desired.revision,
        runningJobs: jobs.runningIds,
        liveLink: link.isUp,
      };
      return client.heartbeat({ instance, replaces, ...facts, ...state }, signal);
    },
    onDesired: () => {
      loop.setDesired(desired, desired.host());
      jobs.setDesired(desired.of('job'), desired.host());
      reporter.retain(desired.keys());
      reporter.setUnsupported(desired.unsupported);
    },
    onResync: () => loop.requestPass(0),
    onTaken: () => link.retry(),
  });
  const terminals = createTerminals(config, parts);
  const gpusOf = (id: string) => desired.one('workspace', id)?.gpus ?? null;
  const sampler = new Sampler({ engine, hostId, clock, gpusOf });
  const isBusy = (): boolean => jobs.runningIds.length > 0;
  const hostSampler = await openHostSampler({ ...config, clock, ...parts.inventory.measured() });
  const cleanUp = new CleanUp({ engine, clock, isBusy, signal: stopping.signal });
  const ownerOf = (id: string): string => desired.one('workspace', id)?.isolation.ownerId ?? '';
  const served = { news, terminals, sampler, hostSampler, cleanUp, ownerOf, supplies };
  const link = createLink({ config, parts, instance, sync, reporter, ...served });

  loop.start();
  sampler.start();
  hostSampler.start();
  sync.start();
  link.start();
  log.info({ hostId, engine: engine.kind }, 'The agent runs');
  const stop = async (): Promise<void> => {
    stopping.abort();
    // Ending the link says goodbye: a call after it would make the console think that this process goes on.
    const leaving = Promise.all([sync.stop(), reporter.stop()]).then(() => link.stop());
    const ending = Promise.all([
      leaving,
      terminals.stop(),
      jobs.stop(),
      loop.stop(),
      sampler.stop(),
      hostSampler.stop(),
    ]);
    // What runs may come to its end, but nobody waits for an engine that takes its time: the next start carries on.
    const ended = new AbortController();
    await Promise.race([ending.then(() => ended.abort()), waitFor(STOP_PATIENCE_MS, ended.signal)]);
    await engine.close();
    await ending;
    await dispatcher.destroy();
    parts.linkAgent?.destroy();
  };
  let stopped: Promise<void> | undefined;
  return { hostId, stop: () => (stopped ??= stop()) };
}

async function loadState({ stateDir, log }: AgentConfig): Promise<{ memory: MemoryStore; journal: JobJournal }> {
  const onWriteError = (error: unknown): void =>
    log.error({ error: toMessage(error) }, 'The state folder is not writable');
  const memory = new MemoryStore(stateDir, onWriteError);
  const journal = new JobJournal(stateDir);
  const onDamaged = (words: string): void => log.error({}, words);
  await Promise.all([memory.load(onDamaged), journal.load(onDamaged)]);
  return { memory, journal };
}

interface LinkParts {
  config: AgentConfig;
  parts: Parts;
  instance: string;
  sync: ConsoleSync;
  reporter: Reporter;
  news: ContainerNews;
  terminals: Terminals;
  sampler: Sampler;
  hostSampler: HostSampler;
  cleanUp: CleanUp;
  /** Whose a workspace is; empty for nobody. */
  ownerOf(workspaceId: string): string;
  supplies: Supplies;
}

/** What an agent before this one has left running in terminals ends meanwhile. */
function createTerminals({ stateDir, log }: AgentConfig, { engine, hostId, hostShell }: Parts): Terminals {
  const onWriteError = (error: unknown): void => log.error({ error: toMessage(error) }, 'A terminal was not noted');
  const marks = new TerminalMarks(stateDir, onWriteError);
  marks.sweep(engine, (words) => log.warn({}, words)).catch(onWriteError);
  return new Terminals({ engine, hostId, hostShell, log, marks });
}

function createLink({ config, parts, instance, sync, reporter, ...served }: LinkParts): LiveLink {
  const { news, terminals, sampler, hostSampler, cleanUp, ownerOf, supplies } = served;
  const { client, clock, engine, hostId } = parts;
  const tunnels = new Tunnels({ engine, hostId, ownerOf });
  const uploads = new Uploads(config.stateDir);
  const presence = new Presence(clock);
  const findVolume = async (id: string) => ({ hostId, id, folder: await supplies.folderOf(id) });
  const examine = createExamination({
    ...parts,
    consoleUrl: client.consoleUrl,
    stateDir: config.stateDir,
    dockerHost: config.dockerHost ?? '',
    bindRoots: config.bindRoots ?? [],
    proxy: config.proxy ?? {},
  });
  return new LiveLink({
    clock,
    log: config.log,
    agent: parts.linkAgent,
    target: () => client.linkTarget(instance),
    onOpen: (stream, open) => {
      if (isPresence(open)) presence.note(open.workspaceId, stream);
      if (isTerminalOpen(open)) terminals.serve(stream, open);
      else if (open.kind === 'tunnel') tunnels.serve(stream, open);
      else if (isFilesOpen(open)) serveFiles(stream, open, { engine, hostId, uploads });
      else if (isVolumeOpen(open)) serveVolumes(stream, open, { engine, findVolume, uploads });
      else if (open.kind === 'doctor') void answer(stream, () => examine());
      else if (open.kind === 'disk') void answer(stream, () => cleanUp.read());
      else if (open.kind === 'prune') void answer(stream, () => cleanUp.begin(open));
      else if (open.kind === 'signIn') serveSignIn(stream, open, engine);
      else if (open.kind === 'remoteDigest') serveRemoteDigest(stream, open, engine);
      else if (open.kind === 'traefik') void answer(stream, () => askTraefik(open, engine));
      else if (open.kind === 'nvidia') void answer(stream, () => reportNvidia(engine));
      else if (open.kind === 'hostMetrics') void answer(stream, () => Promise.resolve(hostSampler.read(open.span)));
      else if (open.kind === 'quiet') serveQuiet(stream, open, { sampler, presence });
      else if (isMeasuresOpen(open)) serveMeasures(stream, open, { engine, hostId, sampler });
      else serveLogs(stream, open, { engine, hostId, news });
    },
    onWake: (revision) => sync.noteRevision(revision),
    onUp: () => {
      // Wake-ups and reports may have been lost while the link was down.
      sync.refresh();
      reporter.tellAll();
    },
  });
}
