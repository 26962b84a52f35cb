import type PocketBase from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, request, setUp } from '../setup/journey';

/** A campaign takes more: `BERTH_TEST_KILL_ROUNDS=20`. */
const ROUNDS = Number(process.env.BERTH_TEST_KILL_ROUNDS ?? 3);
const ACTS = 20;
const SETTLE_LIMIT_MS = 60_000;

/** What was asked of a workspace and acknowledged: the last of it is what must become true. */
type Asked = Map<string, 'running' | 'stopped' | 'gone'>;

describe.skipIf(!engineIsThere())('kill -9 amid a burst of acts', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let host: { id: string };
  let imageId: string;
  const asked: Asked = new Map();
  const settledMs: number[] = [];

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: 'rounds' });
    host = await online();
    // How soon a killed agent is missed goes by its heartbeat.
    await pb.collection('hosts').update(host.id, { heartbeat_interval_seconds: 1 });
    imageId = (await buildImage(pb, host.id, { name: 'rounds', dockerfile: ENDS_AT_ONCE })).id;
  }, 120_000);

  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  const online = () =>
    eventually(
      'the host is online',
      async () => {
        const found = await pb.collection('hosts').getFullList();
        return found[0]?.status === 'online' && found[0].engine?.liveLink ? found[0] : undefined;
      },
      SETTLE_LIMIT_MS,
    );

  /** Does one act and notes it once it was acknowledged; what a killed console never answered is not asked for. */
  async function act(number: number): Promise<void> {
    const ids = [...asked].filter(([, state]) => state !== 'gone').map(([id]) => id);
    const id = ids[number % Math.max(1, ids.length)];
    const acts = {
      start: async () => {
        const values = { name: `r${Date.now()}-${number}`, host: host.id, image: imageId };
        const made = await pb.collection('workspaces').create(values);
        asked.set(made.id, 'stopped');
        await request(pb, 'workspace', made.id, 'start');
        asked.set(made.id, 'running');
      },
      stop: async () => note(id!, 'stopped', await request(pb, 'workspace', id!, 'stop')),
      redeploy: async () => note(id!, 'running', await request(pb, 'workspace', id!, 'redeploy')),
      delete: async () => note(id!, 'gone', await request(pb, 'workspace', id!, 'delete')),
    };
    const kinds = ids.length < 6 ? (['start'] as const) : (['start', 'stop', 'redeploy', 'delete'] as const);
    await acts[kinds[number % kinds.length]!]().catch(() => undefined);
  }

  function note(id: string, state: 'running' | 'stopped' | 'gone', _answer: unknown): void {
    if (asked.get(id) !== 'gone') asked.set(id, state);
  }

  /** What is not as it was asked for, in words; nothing once all has settled. */
  async function unsettled(): Promise<string[]> {
    const records = new Map((await pb.collection('workspaces').getFullList()).map((each) => [each.id, each]));
    const lines = await docker('ps', '-a', '--filter', `label=berth.host=${host.id}`, '--format', FORMAT);
    const containers = lines.split('\n').filter(Boolean);
    const open = await pb.collection('deployments').getFullList({ filter: 'status = "pending"' });
    const wrong = open.map(({ workspace, action }) => `an open ${action} of ${workspace}`);
    for (const [id, record] of records) {
      const own = containers.filter((line) => line.startsWith(`${id} `));
      const up = own.filter((line) => line.endsWith(' running')).length;
      const wanted = record.desired === 'running' ? 1 : 0;
      if (record.desired === 'absent' || record.status !== record.desired) wrong.push(`${id} is ${record.status}`);
      if (own.length > 1 || up !== wanted) wrong.push(`${id} (${record.desired}) has ${own.join(', ')}`);
    }
    for (const line of containers) if (!records.has(line.split(' ')[0]!)) wrong.push(`an orphan ${line}`);
    return wrong;
  }

  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'round %i: all that was acknowledged comes true, once',
    async (round) => {
      const burst = Array.from({ length: ACTS }, (_, number) => act(round * ACTS + number));
      await new Promise((resolve) => setTimeout(resolve, (round * 67) % 400));
      const [isConsole, isAgent] = [round % 3 !== 1, round % 3 !== 0];
      await Promise.all([isConsole && berth.kill('SIGKILL'), isAgent && agent.kill()]);
      await Promise.allSettled(burst);
      if (isConsole) berth = await berth.restart();
      if (isAgent) agent.start();
      await online();
      const sinceMs = Date.now();
      let last: string[] = [];
      await eventually(
        'everything has settled',
        async () => {
          last = await unsettled();
          return last.length === 0;
        },
        SETTLE_LIMIT_MS,
      ).catch((error: Error) => {
        throw new Error(`${error.message}: ${last.join('; ')}`);
      });
      settledMs.push(Date.now() - sinceMs);
      const records = new Map((await pb.collection('workspaces').getFullList()).map((each) => [each.id, each]));
      for (const [id, state] of asked) expect([id, records.get(id)?.desired ?? 'gone']).toEqual([id, state]);
      if (process.env.BERTH_TEST_KILL_ROUNDS) console.info(`round ${round}: settled after ${settledMs.at(-1)} ms`);
    },
    SETTLE_LIMIT_MS + 60_000,
  );
});

const FORMAT = '{{.Label "berth.id"}} {{.Names}} {{.State}}';
