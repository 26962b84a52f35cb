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

type State = 'running' | 'stopped' | 'gone';

/** What a round's acts on one workspace may have come to. They are sent at once, so the console alone knows which came last. */
interface Sent {
  acknowledged: State[];
  /** Never answered: it may have been done before the kill, or not. */
  lost: State[];
}

describe.skipIf(!engineIsThere())('kill -9 amid a burst of acts', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let host: { id: string };
  let imageId: string;
  const settled = new Map<string, State>();
  const sent = new Map<string, Sent>();
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

  /** Does one act and notes what came of it; a refused one changes nothing. */
  async function act(number: number): Promise<void> {
    const ids = [...settled].filter(([, state]) => state !== 'gone').map(([id]) => id);
    const id = ids[number % Math.max(1, ids.length)]!;
    const acts = {
      start: async () => {
        const values = { name: `r${Date.now()}-${number}`, host: host.id, image: imageId };
        const made = await pb.collection('workspaces').create(values);
        settled.set(made.id, 'stopped');
        await note(made.id, 'running', request(pb, 'workspace', made.id, 'start'));
      },
      stop: () => note(id, 'stopped', request(pb, 'workspace', id, 'stop')),
      redeploy: () => note(id, 'running', request(pb, 'workspace', id, 'redeploy')),
      delete: () => note(id, 'gone', request(pb, 'workspace', id, 'delete')),
    };
    const kinds = ids.length < 6 ? (['start'] as const) : (['start', 'stop', 'redeploy', 'delete'] as const);
    await acts[kinds[number % kinds.length]!]().catch(() => undefined);
  }

  async function note(id: string, state: State, answer: Promise<unknown>): Promise<void> {
    const ofId = sent.get(id) ?? { acknowledged: [], lost: [] };
    sent.set(id, ofId);
    await answer.then(
      () => ofId.acknowledged.push(state),
      (error: { status?: number }) => error.status === 0 && ofId.lost.push(state),
    );
  }

  /** What may have become of a workspace: of what was acknowledged in the round nothing is lost, and a deletion is the last. */
  function outcomesOf(id: string): State[] {
    const { acknowledged, lost } = sent.get(id) ?? { acknowledged: [], lost: [] };
    if (acknowledged.includes('gone')) return ['gone'];
    return [...(acknowledged.length > 0 ? acknowledged : [settled.get(id)!]), ...lost];
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
      for (const id of settled.keys()) {
        const state = (records.get(id)?.desired ?? 'gone') as State;
        expect(outcomesOf(id), `${id} is ${state}`).toContain(state);
        settled.set(id, state);
      }
      sent.clear();
      if (process.env.BERTH_TEST_KILL_ROUNDS) console.info(`round ${round}: settled after ${settledMs.at(-1)} ms`);
    },
    SETTLE_LIMIT_MS + 60_000,
  );
});

const FORMAT = '{{.Label "berth.id"}} {{.Names}} {{.State}}';
