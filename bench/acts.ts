import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import type PocketBase from 'pocketbase';
import { eventually, startConsole, type ConsoleProcess } from '../tests/setup/console-process';
import { BASE_IMAGE, ensureBaseImage } from '../tests/setup/docker';
import { startAgent } from '../tests/setup/joined-agent';
import { buildImage, cleanHost, request, setUp } from '../tests/setup/journey';
import { report } from './measure';

const ACTS = 1000;
const WORKSPACES = 4;
/** The first acts fill what is kept for speed; memory is compared from there on. */
const WARM_UP = 400;
const GROWTH_LIMIT_MB = 20;
/** What the product keeps of each workspace's deployments. */
const KEPT = 100;
const ACTIONS = ['redeploy', 'stop', 'start'] as const;
const DOCKERFILE = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sleep", "3600"]\n`;

/** Acts on workspaces one after another, on the real engine: neither memory nor rows may grow with them. */
export async function benchActs(): Promise<void> {
  await ensureBaseImage();
  const berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'error' } });
  const pb = await setUp(berth.url);
  const agent = await startAgent(berth.url, { pb, name: 'acts' });
  const host = await eventually('the host is online', async () => {
    const found = await pb.collection('hosts').getFullList();
    return found[0]?.engine?.liveLink ? found[0] : undefined;
  });
  const image = await buildImage(pb, host.id, { name: 'acts', dockerfile: DOCKERFILE });
  const ids: string[] = [];
  for (let index = 0; index < WORKSPACES; index += 1) {
    const made = await pb.collection('workspaces').create({ name: `acts-${index}`, host: host.id, image: image.id });
    await request(pb, 'workspace', made.id, 'start');
    ids.push(made.id);
  }
  const processes = { console: berth.pid, agent: agent.pid };
  await Promise.all(ids.map((id) => actOn(pb, id, WARM_UP / WORKSPACES)));
  const before = memoryOf(processes);
  await Promise.all(ids.map((id) => actOn(pb, id, (ACTS - WARM_UP) / WORKSPACES)));
  const after = memoryOf(processes);
  for (const name of ['console', 'agent'] as const) {
    const grown = after[name] - before[name];
    report(
      `memory of the ${name} from act ${WARM_UP} to ${ACTS}`,
      `${before[name].toFixed(0)} MB, ${grown.toFixed(1)} MB more`,
      `under ${GROWTH_LIMIT_MB} MB more`,
      grown < GROWTH_LIMIT_MB,
    );
  }
  reportRows(berth);
  await agent.dispose();
  await berth.dispose();
  await cleanHost(host.id);
}

async function actOn(pb: PocketBase, id: string, acts: number): Promise<void> {
  for (let act = 0; act < acts; act += 1) {
    const action = ACTIONS[act % ACTIONS.length]!;
    await request(pb, 'workspace', id, action);
    await settled(pb, id);
  }
}

function settled(pb: PocketBase, id: string): Promise<true> {
  return eventually(`workspace ${id} settles`, async () => {
    const { status, desired } = await pb.collection('workspaces').getOne(id, { fields: 'status,desired' });
    return status === desired ? true : undefined;
  });
}

function memoryOf<Name extends string>(processes: Record<Name, number>): Record<Name, number> {
  const read = (pid: number) =>
    Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  const entries = Object.entries<number>(processes).map(([name, pid]) => [name, read(pid)] as const);
  return Object.fromEntries(entries) as Record<Name, number>;
}

function reportRows(berth: ConsoleProcess): void {
  const db = new Database(path.join(berth.dataDir, 'berth.db'), { readonly: true });
  const rows = db.prepare('SELECT count(*) AS total FROM deployments').get() as { total: number };
  const open = db.prepare(`SELECT count(*) AS total FROM deployments WHERE status = 'pending'`).get() as {
    total: number;
  };
  db.close();
  report(
    `deployments kept after ${ACTS} acts`,
    `${rows.total} rows, ${open.total} open`,
    `at most ${KEPT * WORKSPACES}, none open`,
    rows.total <= KEPT * WORKSPACES && open.total === 0,
  );
}
