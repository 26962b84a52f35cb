import type { Duplex } from 'node:stream';
import Docker from 'dockerode';
import type PocketBase from 'pocketbase';
import WebSocket from 'ws';
import { eventually, startConsole } from '../tests/setup/console-process';
import { BASE_IMAGE, ensureBaseImage } from '../tests/setup/docker';
import { startAgent } from '../tests/setup/joined-agent';
import { buildImage, cleanHost, containersOf, reaches, request, setUp } from '../tests/setup/journey';
import { quantile, report } from './measure';

const KEYS = 2000;
const WARM_UP = 200;
/** As somebody types who is quick. */
const PAUSE_MS = 2;
const P50_OVER_MS = 1.5;
const P99_OVER_MS = 8;
const DOCKERFILE = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sleep", "3600"]\n`;

/** Something that is typed to and answers each key. */
interface Typewriter {
  /** Milliseconds from a key to its echo. */
  type(): Promise<number>;
  close(): void;
}

/** A key's echo from a browser's socket over console and agent to a process in a container and back, against Docker's own stream. */
export async function benchTerminal(): Promise<void> {
  await ensureBaseImage();
  const berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'error' } });
  const pb = await setUp(berth.url);
  const agent = await startAgent(berth.url, { pb, name: 'terminal' });
  const host = await eventually('the host is online', async () => {
    const found = await pb.collection('hosts').getFullList();
    return found[0]?.engine?.liveLink ? found[0] : undefined;
  });
  try {
    const image = await buildImage(pb, host.id, { name: 'terminal', dockerfile: DOCKERFILE });
    const { id } = await pb.collection('workspaces').create({ name: 'terminal', host: host.id, image: image.id });
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    const [containerId] = await containersOf(id);
    const direct = await openDirect(containerId!);
    const through = await openThrough(pb, berth.url, id);
    const spans = { direct: [] as number[], through: [] as number[] };
    for (let key = 0; key < KEYS + WARM_UP; key += 1) {
      for (const [name, typewriter] of [
        ['direct', direct],
        ['through', through],
      ] as const) {
        const ms = await typewriter.type();
        if (key >= WARM_UP) spans[name].push(ms);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
    for (const [share, most] of [
      [0.5, P50_OVER_MS],
      [0.99, P99_OVER_MS],
    ] as const) {
      const [own, docker] = [quantile(spans.through, share), quantile(spans.direct, share)];
      report(
        `a key’s echo, p${share * 100} of ${KEYS}`,
        `${own.toFixed(2)} ms, ${(own - docker).toFixed(2)} ms over docker exec (${docker.toFixed(2)} ms)`,
        `at most ${most} ms over`,
        own - docker <= most,
      );
    }
    direct.close();
    through.close();
  } finally {
    await agent.dispose();
    await berth.dispose();
    await cleanHost(host.id);
  }
}

function typewriter(send: (key: string) => void, close: () => void) {
  let heard: (() => void) | undefined;
  return {
    hear: () => heard?.(),
    async type(): Promise<number> {
      const fromMs = performance.now();
      const echo = new Promise<void>((resolve) => (heard = resolve));
      send('a');
      await echo;
      return performance.now() - fromMs;
    },
    close,
  };
}

async function openDirect(containerId: string): Promise<Typewriter> {
  const exec = await new Docker().getContainer(containerId).exec({
    Cmd: ['sh', '-c', 'stty raw -echo; exec cat'],
    Tty: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream: Duplex = await exec.start({ hijack: true, stdin: true, Tty: true });
  const writer = typewriter(
    (key) => stream.write(key),
    () => stream.destroy(),
  );
  await settle();
  stream.on('data', writer.hear);
  return writer;
}

async function openThrough(pb: PocketBase, url: string, workspaceId: string): Promise<Typewriter> {
  const query = new URLSearchParams({ command: 'stty raw -echo; exec cat' });
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/workspace/${workspaceId}/exec?${query}`, {
    headers: { authorization: pb.authStore.token },
    perMessageDeflate: false,
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const writer = typewriter(
    (key) => socket.send(Buffer.from(key)),
    () => socket.close(),
  );
  await settle();
  socket.on('message', (_, isBinary) => isBinary && writer.hear());
  return writer;
}

/** The process has begun by then. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000));
}
