import Docker from 'dockerode';
import type PocketBase from 'pocketbase';
import { startConsole } from '../tests/setup/console-process';
import { BASE_IMAGE, ensureBaseImage } from '../tests/setup/docker';
import { buildImage, cleanHost, containersOf, localHost, reaches, request, setUp } from '../tests/setup/journey';
import { median, report } from './measure';

const ROUNDS = 20;
/** Ends at once when stopped: the wait for a process that ignores signals is not what is measured. */
const DOCKERFILE = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sleep", "3600"]\n`;

/** A click on Start until the engine says that the container runs, against `docker start` of its twin; and how soon a client sees it. */
export async function benchLatency(): Promise<void> {
  await ensureBaseImage();
  const engine = new Docker();
  const berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker', LOG_LEVEL: 'error' } });
  const pb = await setUp(berth.url);
  const host = await localHost(pb);
  const image = await buildImage(pb, host.id, { name: 'bench', dockerfile: DOCKERFILE });
  const workspace = await pb
    .collection('workspaces')
    .create({ name: 'bench', host: host.id, image: image.id, enabled: true });
  await moveTo(pb, workspace.id, 'start', 'running');
  const [containerId] = await containersOf(workspace.id);
  const twin = await createTwin(engine, containerId!);
  const events = await watchStarts(engine);
  const seen = await watchStatus(pb, workspace.id);

  const bare: number[] = [];
  const clicked: number[] = [];
  const visible: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await moveTo(pb, workspace.id, 'stop', 'stopped');
    bare.push(await timeBareStart(twin, events));
    const from = performance.now();
    const started = events.next(containerId!);
    const running = seen.next('running');
    await request(pb, 'workspace', workspace.id, 'start');
    const startedAt = await started;
    clicked.push(startedAt - from);
    visible.push((await running) - startedAt);
  }
  const over = median(clicked) - median(bare);
  report(
    `click on Start → container started, median of ${ROUNDS}`,
    `${median(clicked).toFixed(0)} ms, ${over.toFixed(0)} ms over docker start (${median(bare).toFixed(0)} ms)`,
    'at most 150 ms over',
    over <= 150,
  );
  report(
    `started on the engine → seen by a subscribed client, median of ${ROUNDS}`,
    `${median(visible).toFixed(0)} ms`,
    'under 300 ms',
    median(visible) < 300,
  );
  events.close();
  await pb.collection('workspaces').unsubscribe();
  await twin.remove({ force: true });
  await berth.dispose();
  await cleanHost(host.id);
}

async function moveTo(pb: PocketBase, id: string, action: string, status: string): Promise<void> {
  await request(pb, 'workspace', id, action);
  await reaches(pb, { collection: 'workspaces', id, status });
}

/** A container of the same image and settings that Berth knows nothing of. */
async function createTwin(engine: Docker, containerId: string): Promise<Docker.Container> {
  const { Config, HostConfig } = await engine.getContainer(containerId).inspect();
  return engine.createContainer({ Image: Config.Image, Cmd: Config.Cmd, Env: Config.Env, HostConfig });
}

interface Waiter {
  /** Resolves with the moment of the next one. */
  next(key: string): Promise<number>;
}

function createWaiter(): Waiter & { tell(key: string): void } {
  const waiting = new Map<string, (at: number) => void>();
  return {
    next: (key) => new Promise((resolve) => waiting.set(key, resolve)),
    tell(key) {
      waiting.get(key)?.(performance.now());
      waiting.delete(key);
    },
  };
}

async function watchStarts(engine: Docker): Promise<Waiter & { close(): void }> {
  const waiter = createWaiter();
  const stream = await engine.getEvents({ filters: { type: ['container'], event: ['start'] } });
  stream.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n').filter(Boolean))
      waiter.tell((JSON.parse(line) as { id: string }).id);
  });
  return { next: waiter.next, close: () => (stream as unknown as { destroy(): void }).destroy() };
}

async function watchStatus(pb: PocketBase, workspaceId: string): Promise<Waiter> {
  const waiter = createWaiter();
  await pb.collection('workspaces').subscribe(workspaceId, ({ record }) => waiter.tell(String(record.status)));
  return waiter;
}

async function timeBareStart(twin: Docker.Container, events: Waiter): Promise<number> {
  const from = performance.now();
  const started = events.next(twin.id);
  await twin.start();
  const took = (await started) - from;
  await twin.kill();
  return took;
}
