import { type ChildProcess, fork } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type PocketBase from 'pocketbase';
import { bundleProgram } from '../tests/setup/api-process';
import { type ConsoleProcess, eventually, startConsole } from '../tests/setup/console-process';
import { startAgent } from '../tests/setup/joined-agent';
import { admin, buildImage, localHost, reaches, request, setUp, signIn } from '../tests/setup/journey';
import type { CrowdNews } from './agent-crowd';
import { cpuSeconds, quantile, report, residentMb } from './measure';

const HOSTS = Number(process.env.BENCH_HOSTS ?? 2000);
const WORKSPACES = 20;
const CROWDS = 2;
const INTERVAL_SECONDS = 10;
const MEASURED_MS = 30_000;
const BACK_MS = 60_000;
const IDLE_MS = 30_000;
const crowdFile = path.resolve(import.meta.dirname, '../.cache/agent-crowd.mjs');

/** What very many agents cost a console, and what one costs its host. */
export async function benchAgents(): Promise<void> {
  await bundleProgram('../../bench/agent-crowd.ts', crowdFile);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-crowd-'));
  let berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated', LOG_LEVEL: 'error' } });
  let crowds: Crowd | undefined;
  try {
    await prepareOne(berth);
    await berth.kill('SIGTERM');
    multiply(berth.dataDir, folder);
    berth = await berth.restart({ BERTH_LOCAL_AGENT: 'off' });
    const visitor = await Visitor.logIn(berth);
    const alone = quantile(await visitor.openPages(10_000), 0.95);
    crowds = new Crowd(berth.url, folder);
    await crowds.until('all agents are taken', ({ taken }) => taken === HOSTS, 180_000);
    await measureSteady(berth, { crowds, visitor, alone });
    berth = await measureRestart(berth, crowds);
  } finally {
    crowds?.stop();
    await berth.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  }
  await measureIdle();
}

/** A host with a running workspace, of which all others are made. */
async function prepareOne(berth: ConsoleProcess): Promise<void> {
  const pb = await setUp(berth.url);
  const host = await localHost(pb);
  const image = await buildImage(pb, host.id, { name: 'bench', dockerfile: 'FROM ubuntu:24.04\nRUN echo bench\n' });
  const made = await pb
    .collection('workspaces')
    .create({ name: 'bench', host: host.id, image: image.id, enabled: true });
  await request(pb, 'workspace', made.id, 'start');
  await reaches(pb, { collection: 'workspaces', id: made.id, status: 'running' });
}

type Row = Record<string, unknown>;

/** Hosts with keys of their own and workspaces that run, written beside the one that is there. */
function multiply(dataDir: string, folder: string): void {
  const db = new Database(path.join(dataDir, 'berth.db'));
  const one = (table: string, where = '1'): Row =>
    db.prepare(`SELECT * FROM ${table} WHERE ${where} LIMIT 1`).get() as Row;
  const add = (table: string, row: Row): void => {
    const names = Object.keys(row);
    const columns = names.map((name) => `"${name}"`).join(', ');
    db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${names.map(() => '?').join(', ')})`).run(
      ...Object.values(row),
    );
  };
  const [host, identity, workspace] = [one('hosts'), one('host_identities'), one('workspaces')];
  const [wanted, wantedHost] = [`kind = 'workspace'`, `kind = 'host'`].map((where) =>
    one('desired_objects', where),
  ) as [Row, Row];
  db.transaction(() => {
    for (let at = 0; at < HOSTS; at += 1) {
      const id = `h${String(at).padStart(14, '0')}`;
      add('hosts', { ...host, id, name: `host-${at}`, status: 'offline' });
      add('host_identities', {
        ...identity,
        host_id: id,
        public_key: writeKey(path.join(folder, String(at)), id),
        instance_id: '',
      });
      add('desired_objects', { ...wantedHost, host_id: id, object_id: id });
      for (let nth = 0; nth < WORKSPACES; nth += 1) {
        const own = `w${String(at).padStart(10, '0')}${String(nth).padStart(4, '0')}`;
        add('workspaces', { ...workspace, id: own, name: `bench-${at}-${nth}`, host: id });
        add('desired_objects', { ...wanted, host_id: id, object_id: own });
      }
    }
  })();
  db.close();
}

/** What an agent keeps of itself; resolves with its public key. */
function writeKey(stateDir: string, hostId: string): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  fs.mkdirSync(stateDir);
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  fs.writeFileSync(path.join(stateDir, 'identity.json'), JSON.stringify({ privateKey: text, hostId, consoleKey: '' }));
  return createPublicKey(privateKey).export({ format: 'jwk' }).x!;
}

/** Processes with many agents each. */
class Crowd {
  private readonly children: ChildProcess[];

  constructor(url: string, folder: string) {
    const each = Math.ceil(HOSTS / CROWDS);
    this.children = Array.from({ length: CROWDS }, (_, at) => {
      const range = [at * each, Math.min(HOSTS, (at + 1) * each)].map(String);
      return fork(crowdFile, [url, folder, ...range], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    });
  }

  /** What they tell since the last question. */
  async take(): Promise<CrowdNews> {
    const told = await Promise.all(
      this.children.map(
        (child) =>
          new Promise<CrowdNews>((resolve) => {
            child.once('message', resolve);
            child.send('take');
          }),
      ),
    );
    return told.reduce((all, news) => ({
      latenciesMs: [...all.latenciesMs, ...news.latenciesMs],
      takenAtMs: [...all.takenAtMs, ...news.takenAtMs],
      taken: all.taken + news.taken,
      linked: all.linked + news.linked,
      failures: all.failures + news.failures,
    }));
  }

  /** Asks until it is so; resolves with when the heartbeats meanwhile were taken. */
  async until(what: string, isSo: (news: CrowdNews) => boolean, limitMs: number): Promise<number[]> {
    const takenAtMs: number[] = [];
    await eventually(
      what,
      async () => {
        const news = await this.take();
        takenAtMs.push(...news.takenAtMs);
        return isSo(news);
      },
      limitMs,
    );
    return takenAtMs;
  }

  stop(): void {
    for (const child of this.children) child.kill('SIGKILL');
  }
}

/** Somebody at a browser, and at the API. */
class Visitor {
  private constructor(
    private readonly url: string,
    private readonly cookie: string,
  ) {}

  static async logIn({ url }: ConsoleProcess): Promise<Visitor> {
    const { token } = (await signIn(url, admin.username)).authStore;
    const headers = { authorization: token, origin: url, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${url}/api/session`, { method: 'POST', headers });
    if (!answer.ok) throw new Error(await answer.text());
    return new Visitor(
      url,
      answer.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; '),
    );
  }

  /** Opens lists one after another for so long; resolves with how long each took, in milliseconds. */
  async openPages(forMs: number): Promise<number[]> {
    const took: number[] = [];
    for (const end = Date.now() + forMs; Date.now() < end; await wait(200)) {
      const from = performance.now();
      const page = took.length % 2 === 0 ? '/workspaces' : '/hosts';
      const answer = await fetch(`${this.url}${page}`, { headers: { cookie: this.cookie }, redirect: 'manual' });
      await answer.text();
      if (answer.status !== 200) throw new Error(`${page} answered ${answer.status}`);
      took.push(performance.now() - from);
    }
    return took;
  }
}

async function measureSteady(
  berth: ConsoleProcess,
  { crowds, visitor, alone }: { crowds: Crowd; visitor: Visitor; alone: number },
): Promise<void> {
  await wait(INTERVAL_SECONDS * 1000);
  await crowds.take();
  const cpuFrom = cpuSeconds(berth.pid);
  const pages = quantile(await visitor.openPages(MEASURED_MS), 0.95);
  const cpu = (cpuSeconds(berth.pid) - cpuFrom) / (MEASURED_MS / 1000);
  const { latenciesMs, failures, linked } = await crowds.take();
  const p95 = quantile(latenciesMs, 0.95);
  const rate = latenciesMs.length / (MEASURED_MS / 1000);
  const told = `${p95.toFixed(0)} ms, ${rate.toFixed(0)}/s, ${failures} failed, ${linked} links, ${(cpu * 100).toFixed(0)} % of a core`;
  report(`p95 of heartbeats of ${HOSTS} agents`, told, 'under 100 ms', p95 < 100 && failures === 0);
  report(
    'p95 of pages meanwhile',
    `${pages.toFixed(0)} ms, ${alone.toFixed(0)} ms without agents`,
    'under 300 ms',
    pages < 300,
  );
  const mb = residentMb(berth.pid);
  report('memory of the console', `${mb.toFixed(0)} MB`, 'under 700 MB', mb < 700);
}

/** Kills the console and starts it again; resolves with the new one. */
async function measureRestart(before: ConsoleProcess, crowds: Crowd): Promise<ConsoleProcess> {
  await crowds.take();
  await before.kill('SIGKILL');
  const berth = await before.restart({ BERTH_LOCAL_AGENT: 'off' });
  const from = Date.now();
  const pb = await signIn(berth.url, admin.username);
  const offline = watchOffline(pb);
  const takenAtMs = await crowds.until('all agents are back', ({ taken }) => taken === HOSTS, 4 * BACK_MS);
  const backMs = Date.now() - from;
  const most = await offline.stop();
  report('all agents back after a kill', `${(backMs / 1000).toFixed(1)} s`, 'within 60 s', backMs <= BACK_MS);
  report('hosts wrongly shown offline meanwhile', String(most), 'none', most === 0);
  const perSecond = new Map<number, number>();
  for (const at of takenAtMs) perSecond.set(Math.floor(at / 1000), (perSecond.get(Math.floor(at / 1000)) ?? 0) + 1);
  const peak = Math.max(...perSecond.values()) / (HOSTS / INTERVAL_SECONDS);
  report('most heartbeats in a second', `${peak.toFixed(1)} × the usual`, 'under 4 ×', peak < 4);
  return berth;
}

/** Counts hosts that are shown offline, again and again; resolves with the most that were at once. */
function watchOffline(pb: PocketBase): { stop(): Promise<number> } {
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { totalItems } = await pb
        .collection('hosts')
        .getList(1, 1, { filter: "status = 'offline' && name != 'local'" });
      most = Math.max(most, totalItems);
      await wait(500);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return most;
    },
  };
}

/** One agent at the engine of this machine, with nothing to do. */
async function measureIdle(): Promise<void> {
  const berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'error' } });
  const pb = await setUp(berth.url);
  const agent = await startAgent(berth.url, { pb, name: 'local', env: { LOG_LEVEL: 'error' } });
  try {
    await localHost(pb);
    await wait(IDLE_MS / 2);
    const from = cpuSeconds(agent.pid);
    await wait(IDLE_MS);
    const share = (cpuSeconds(agent.pid) - from) / (IDLE_MS / 1000);
    const mb = residentMb(agent.pid);
    report(
      'an idle agent',
      `${mb.toFixed(0)} MB, ${(share * 100).toFixed(1)} % of a core`,
      'under 90 MB and 1 %',
      mb < 90 && share < 0.01,
    );
  } finally {
    await agent.dispose();
    await berth.dispose();
  }
}
