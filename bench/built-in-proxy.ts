import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { request } from 'undici';
import { WebSocket } from 'ws';
import { freePort, startConsole } from '../tests/setup/console-process';
import { docker } from '../tests/setup/docker';
import { startAgent } from '../tests/setup/joined-agent';
import { cleanHost, containersOf, localHost, setUp } from '../tests/setup/journey';
import { LabVisitor, startLab } from '../tests/setup/lab';
import { load, median, report, residentMb } from './measure';

const ROUNDS = 3;
const SOCKETS = 1000;
const BYTES = 64 * 1024 * 1024;

/** What a port costs through the console and an agent, against a plain proxy that leads to the same container. */
export async function benchBuiltInProxy(): Promise<void> {
  const berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
  const pb = await setUp(berth.url);
  const agent = await startAgent(berth.url, { pb, name: 'local' });
  const { id: hostId } = await localHost(pb);
  let plain: { url: string; child: ChildProcess } | undefined;
  try {
    const lab = await startLab(pb, hostId);
    const [container = ''] = await containersOf(lab.id);
    const address = await docker(
      'inspect',
      '-f',
      '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}',
      container,
    );
    plain = await startPlain(address);
    const visitor = new LabVisitor(berth.port);
    const app = `8888--${lab.id}.localhost`;
    while ((await visitor.logIn(pb, app)).status !== 200);
    const headers = { host: `${app}:${berth.port}`, cookie: visitor.cookie(app) };
    await compareRates(berth.url, plain.url, headers);
    await compareBytes(berth.url, plain.url, headers);
    await holdSockets(berth.url, berth.pid, { ...headers, origin: `http://${headers.host}` });
  } finally {
    plain?.child.kill();
    await agent.dispose();
    await berth.dispose();
    await cleanHost(hostId);
  }
}

async function startPlain(address: string): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  const env = { ...process.env, BENCH_PORT: String(port), BENCH_HOST: address };
  const child = fork(path.join(import.meta.dirname, 'plain-proxy.mjs'), { env });
  await new Promise((resolve) => child.once('message', resolve));
  return { url: `http://127.0.0.1:${port}`, child };
}

type Sent = Record<string, string>;

async function compareRates(ours: string, theirs: string, headers: Sent): Promise<void> {
  const run = (origin: string) =>
    load({ origin, path: '/told', headers, connections: 32, warmUpMs: 500, durationMs: 2000 });
  const rates: [number[], number[]] = [[], []];
  let failures = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    rates[1].push((await run(theirs)).requestsPerSecond);
    const own = await run(ours);
    rates[0].push(own.requestsPerSecond);
    failures += own.failures;
  }
  const [own, other] = rates.map((each) => median(each)) as [number, number];
  const words = `${own.toFixed(0)}/s against ${other.toFixed(0)}/s, ratio ${(own / other).toFixed(2)}, ${failures} failures`;
  report('requests against a plain proxy', words, 'at least 0.5', own / other >= 0.5 && failures === 0);
}

async function compareBytes(ours: string, theirs: string, headers: Sent): Promise<void> {
  const run = async (origin: string): Promise<number> => {
    const from = performance.now();
    const { body } = await request(`${origin}/bytes?size=${BYTES}`, { headers });
    for await (const chunk of body) void chunk;
    return BYTES / 1024 ** 2 / ((performance.now() - from) / 1000);
  };
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    rates[1].push(await run(theirs));
    rates[0].push(await run(ours));
  }
  const [own, other] = rates.map((each) => median(each)) as [number, number];
  const words = `${own.toFixed(0)} MiB/s against ${other.toFixed(0)} MiB/s, ratio ${(own / other).toFixed(2)}`;
  report('throughput against a plain proxy', words, 'at least 0.7', own / other >= 0.7);
}

async function holdSockets(url: string, pid: number, headers: Sent): Promise<void> {
  const before = residentMb(pid);
  const sockets: WebSocket[] = [];
  for (let index = 0; index < SOCKETS; index += 1) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/echo`, { headers, perMessageDeflate: false });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    sockets.push(socket);
  }
  const grown = residentMb(pid) - before;
  for (const socket of sockets) socket.terminate();
  report(`${SOCKETS} open WebSockets`, `${grown.toFixed(1)} MB more`, 'under 30 MB', grown < 30);
}
