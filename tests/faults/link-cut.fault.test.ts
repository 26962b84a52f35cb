import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, containersOf, isRunning, localHost, reaches, request, setUp } from '../setup/journey';
import { type Passage, startTcpCutter, type TcpCutter } from '../setup/tcp-cutter';

/** A campaign takes more: `BERTH_TEST_CUT_SECONDS=1,5,30,120`. */
const SECONDS = (process.env.BERTH_TEST_CUT_SECONDS ?? '1,5,30').split(',').map(Number);
const WAYS: Passage[] = ['drop', 'hang', 'blackhole', 'forget'];
/** What is only silent for good takes half a minute to be noticed: it stands for the long ones, unless a campaign asks. */
const CUTS = SECONDS.flatMap((seconds) =>
  WAYS.filter((way) => process.env.BERTH_TEST_CUT_SECONDS || seconds < 30 === (way !== 'forget')).map((way) => ({
    way,
    seconds,
  })),
);
/** Without a heartbeat for 20 s and two intervals a host is offline; it is looked for every 5 s. */
const OFFLINE_WITHIN_MS = 28_000;
/** The next heartbeat is tried after 10 s at most; what the link still has is then given 5 s to answer. */
const BACK_WITHIN_MS = 11_500;
const TICK_SECONDS = 0.2;

describe.skipIf(!engineIsThere())('a network that fails between agent and console', () => {
  let berth: ConsoleProcess;
  let cutter: TcpCutter;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let host: RecordModel;
  let image: RecordModel;
  let printer: string;

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    cutter = await startTcpCutter(berth.port);
    pb = await setUp(berth.url);
    agent = await startAgent(cutter.url, { pb, name: 'local' });
    host = await localHost(pb);
    host = await pb.collection('hosts').update(host.id, { heartbeat_interval_seconds: 1 });
    image = await buildImage(pb, host.id, { name: 'cut', dockerfile: ENDS_AT_ONCE });
    printer = await create(
      'printer',
      `sh -c "i=0; while true; do i=$((i+1)); echo tick $i; sleep ${TICK_SECONDS}; done"`,
    );
    await request(pb, 'workspace', printer, 'start');
    await reaches(pb, { collection: 'workspaces', id: printer, status: 'running' });
  }, 60_000);
  afterAll(async () => {
    cutter?.set('open');
    await agent?.dispose();
    await cutter?.close();
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  const seen = () => pb.collection('hosts').getOne(host.id);
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  async function create(name: string, command = ''): Promise<string> {
    const fields = { name, host: host.id, image: image.id, command };
    return (await pb.collection('workspaces').create(fields)).id;
  }

  /** Reads the log as a page does: from its last line on whenever it was lost. */
  function follow(id: string) {
    const abort = new AbortController();
    const ticks: number[] = [];
    let last = '';
    const read = async (): Promise<void> => {
      const headers = { authorization: pb.authStore.token, ...(last && { 'last-event-id': last }) };
      const answer = await fetch(`${berth.url}/api/workspace/${id}/logs?tail=1`, { headers, signal: abort.signal });
      let rest = '';
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
        const lines = (rest + Buffer.from(chunk).toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          last = /^id: ?(.*)$/.exec(line)?.[1] ?? last;
          const tick = /tick (\d+)/.exec(line)?.[1];
          if (tick) ticks.push(Number(tick));
        }
      }
    };
    const done = (async () => {
      while (!abort.signal.aborted) {
        await read().catch(() => undefined);
        await wait(300);
      }
    })();
    return {
      ticks,
      async close() {
        abort.abort();
        await done;
      },
    };
  }

  it.each(CUTS)(
    '$way for $seconds s: what was asked comes true once, and the log goes on without a gap',
    async ({ way, seconds }) => {
      const name = `${way}-${seconds}`;
      const [kept, gone, fresh] = [
        await create(`kept-${name}`),
        await create(`gone-${name}`),
        await create(`new-${name}`),
      ];
      for (const id of [kept, gone]) await request(pb, 'workspace', id, 'start');
      for (const id of [kept, gone]) await reaches(pb, { collection: 'workspaces', id, status: 'running' });
      const [container] = await containersOf(kept);
      const since = await docker('inspect', '-f', '{{.State.StartedAt}}', container!);
      const log = follow(printer);
      await eventually('the log is followed', () => log.ticks.length > 2);

      const cutMs = Date.now();
      cutter.set(way);
      await request(pb, 'workspace', fresh, 'start');
      await request(pb, 'workspace', gone, 'delete');
      if (way === 'drop' || way === 'hang') {
        await eventually('the link is seen to be lost', async () => !(await seen()).engine.liveLink || undefined, 5000);
      }
      if (seconds * 1000 > OFFLINE_WITHIN_MS) {
        await eventually('the host is offline', async () => (await seen()).status === 'offline', OFFLINE_WITHIN_MS);
        expect((await seen()).statusMessage).toMatch(/^No heartbeat since /);
      }
      expect(await isRunning(container!)).toBe(true);
      await wait(Math.max(0, cutMs + seconds * 1000 - Date.now()));

      cutter.set('open');
      const backMs = Date.now();
      await eventually(
        'the host is back',
        async () => {
          const { status, engine } = await seen();
          return status === 'online' && engine.liveLink;
        },
        BACK_WITHIN_MS,
      );
      process.stdout.write(`${name}: back after ${Date.now() - backMs} ms\n`);
      await reaches(pb, { collection: 'workspaces', id: fresh, status: 'running' });
      await eventually('the deleted one is gone', async () => (await containersOf(gone)).length === 0);
      expect(await containersOf(fresh)).toHaveLength(1);
      expect(await containersOf(kept)).toEqual([container]);
      expect(await docker('inspect', '-f', '{{.State.StartedAt}}', container!)).toBe(since);
      const deployments = await pb.collection('deployments').getFullList({ filter: `workspace = "${fresh}"` });
      expect(deployments.map(({ action, status }) => [action, status])).toEqual([['start', 'succeeded']]);

      const atBack = log.ticks.length;
      await eventually('the log goes on', () => log.ticks.length > atBack + 5);
      await log.close();
      const [first = 0] = log.ticks;
      expect(log.ticks).toEqual(log.ticks.map((_, index) => first + index));
      for (const id of [kept, fresh]) await request(pb, 'workspace', id, 'delete');
    },
    150_000,
  );
});
