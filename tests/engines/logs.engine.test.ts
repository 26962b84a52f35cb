import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { createMatcher } from '@/agent/streams/log-match';
import { isLogLine, logEventSchema, type LogEvent, type LogLine, type OpenStream } from '@/lib/protocol/streams';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeWorkspaceSpec } from '../agent/specs';
import { buildBusybox, dockerAbsence, removeAll } from './docker-fixture';

const imageHost = `i${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${imageHost}:1`;
const LINES = 100_134;

describe.skipIf(dockerAbsence !== '')('the log of a workspace on Docker', () => {
  let hostId: string;
  let fixture: Fixture;

  beforeAll(() => buildBusybox(imageHost, reference, ['STOPSIGNAL SIGKILL']), 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId);
  });
  afterEach(async () => {
    await fixture.close();
    await removeAll(hostId);
  }, 60_000);

  function want(script: string, overrides: Parameters<typeof makeWorkspaceSpec>[0] = {}): void {
    const image = { reference, id: '', pull: false };
    const command = ['/bin/sh', '-c', script];
    fixture.console.want('w1', {
      kind: 'workspace',
      spec: makeWorkspaceSpec({ name: hostId, image, command, ...overrides }),
    });
  }

  /** Reads a stream as it comes; `end` resolves with its closing words, or what went wrong. */
  async function open(asked: OpenStream) {
    const link = await fixture.console.until(() => fixture.console.link);
    const stream = link.mux.open(asked);
    const events: LogEvent[] = [];
    let rest = '';
    const end = new Promise<string>((resolve) => {
      stream.listen({
        onData: (chunk) => {
          const rows = (rest + chunk.toString('utf8')).split('\n');
          rest = rows.pop() ?? '';
          events.push(...rows.map((row) => logEventSchema.parse(JSON.parse(row))));
          stream.consumed(chunk.length);
        },
        onEnd: ({ message }) => resolve(message),
        onError: resolve,
      });
    });
    const lines = (): LogLine[] => events.filter(isLogLine);
    return { events, lines, end, close: () => stream.cancel() };
  }

  const follow = (overrides: object = {}) =>
    open({
      kind: 'logs',
      workspaceId: 'w1',
      tail: 100,
      since: '',
      until: '',
      follow: true,
      numbered: true,
      ...overrides,
    });
  const news = (events: LogEvent[], kind: string) => events.filter((event) => 'k' in event && event.k === kind);

  const sources = (events: LogEvent[]) =>
    new Set(news(events, 'source').map((event) => 'containerId' in event && event.containerId)).size;

  it('is read from one moment to another, the last lines of that stretch', async () => {
    want(
      'i=0; while [ $i -lt 30 ]; do echo line $i; i=$((i+1)); /bin/busybox usleep 10000; done; exec /bin/busybox sleep 1000',
    );
    await fixture.console.untilStatus('w1', 'running');
    const whole = await follow();
    await fixture.console.until(() => whole.lines().length === 30);
    whole.close();
    const at = (index: number) => whole.lines()[index]!.t;
    const stretch = await follow({ since: at(4), until: at(20), tail: 5 });
    expect(await stretch.end).toBe('');
    expect(stretch.lines().map(({ m }) => m)).toEqual([16, 17, 18, 19, 20].map((number) => `line ${number}`));
    expect(stretch.events).toContainEqual({ k: 'numbered', before: 16 });
    const all = await follow({ since: at(4), until: at(20), tail: null, numbered: false });
    await all.end;
    expect(
      all
        .lines()
        .map(({ m }) => m)
        .at(0),
    ).toBe('line 5');
    expect(all.lines()).toHaveLength(16);
  }, 60_000);

  it('goes on through Stop and Start and into the container of a redeploy', async () => {
    const script = 'echo begun; exec /bin/busybox sleep 1000';
    want(script);
    await fixture.console.untilStatus('w1', 'running');
    const log = await follow();
    await fixture.console.until(() => log.lines().length === 1);
    want(script, { state: 'stopped', attempt: 1 });
    await fixture.console.until(() => news(log.events, 'ended').length === 1);
    want(script, { attempt: 2 });
    await fixture.console.until(() => log.lines().length === 2);
    expect(sources(log.events)).toBe(1);
    want(script, { generation: 2, remake: 2 });
    await fixture.console.until(() => log.lines().length === 3, 30_000);
    expect(sources(log.events)).toBe(2);
    expect(log.lines().map(({ m }) => m)).toEqual(['begun', 'begun', 'begun']);
    log.close();
  }, 60_000);

  it('goes on through the restarts of what ends again and again', async () => {
    want('echo about to fail; exit 3', { autoStart: true });
    await fixture.console.untilStatus('w1', 'error', 20_000);
    const log = await follow();
    await fixture.console.until(() => news(log.events, 'ended')[0], 30_000);
    const before = log.lines().length;
    await fixture.console.until(() => log.lines().length >= before + 3, 40_000);
    expect(new Set(log.lines().map(({ t }) => t)).size).toBe(log.lines().length);
    log.close();
  }, 60_000);

  it('tells the numbers of its last lines, gives older ones by number, and is searched from its first on', async () => {
    want(`/bin/busybox seq ${LINES}; exec /bin/busybox sleep 1000`);
    await fixture.console.untilStatus('w1', 'running');
    const log = await follow({ tail: 10_000 });
    await fixture.console.until(() => log.lines().at(-1)?.m === String(LINES), 30_000);
    const numbered = await fixture.console.until(() => news(log.events, 'numbered')[0], 30_000);
    const first = log.lines()[0]!;
    expect(numbered).toEqual({ k: 'numbered', before: Number(first.m) - 1 });
    log.close();

    const { containerId } = fixture.console.status('w1')!;
    const of = { workspaceId: 'w1', containerId };
    const to = Number(first.m) - 1;
    const range = await open({ kind: 'logRange', ...of, from: to - 99, to, before: first.t });
    await range.end;
    expect(range.lines().map(({ n, m }) => [n, m])).toEqual(
      Array.from({ length: 100 }, (_, index) => [to - 99 + index, String(to - 99 + index)]),
    );

    const query = { isRegex: true, isCaseSensitive: false, isInverted: false, levels: [], from: 1, to: null };
    const search = await open({ kind: 'logSearch', ...of, ...query, pattern: '^(57|1000..)$', limit: 3 });
    expect(await search.end).toBe('');
    expect(search.lines().map(({ n, m }) => [n, m])).toEqual([
      [57, '57'],
      [100_000, '100000'],
      [100_001, '100001'],
    ]);
    expect(search.events.at(-1)).toEqual({ k: 'searched', lines: LINES, hits: 101 });
    const other = await open({
      kind: 'logSearch',
      ...of,
      ...query,
      pattern: '^9',
      isInverted: true,
      to: 20,
      limit: 99,
    });
    await other.end;
    expect(other.lines()).toHaveLength(19);
    const slow = await open({ kind: 'logSearch', ...of, ...query, pattern: '(', limit: 3 });
    expect(await slow.end).toContain('is no regular expression');
    const gone = await open({ kind: 'logRange', ...of, containerId: 'c0', from: 1, to: 2, before: '' });
    expect(await gone.end).toContain('This container is gone');
  }, 90_000);
});

describe('a pattern that takes forever', () => {
  it('is given up before it holds the agent up', () => {
    const query = { pattern: '(a+)+$', isRegex: true, isCaseSensitive: true, isInverted: false, levels: [] };
    const sinceMs = performance.now();
    expect(() => createMatcher(query)([`${'a'.repeat(60)}b`])).toThrow('takes too long');
    expect(performance.now() - sinceMs).toBeLessThan(2000);
  });
});
