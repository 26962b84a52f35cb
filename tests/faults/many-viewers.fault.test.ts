import fs from 'node:fs';
import http from 'node:http';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, localHost, reaches, request, setUp } from '../setup/journey';

const VIEWERS = 20;
const WATCHED_MS = 8000;
/** A stream holds 256 KB at either end; the rest is what Node takes for its own while it works hard. */
const MAY_GROW_MB = 150;
const LINE = 'x'.repeat(200);

interface Viewer {
  bytes: number;
  close(): void;
}

describe.skipIf(!engineIsThere())('many viewers of a container that prints as fast as it can', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let host: RecordModel;

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: 'local' });
    host = await localHost(pb);
    host = await pb.collection('hosts').update(host.id, { heartbeat_interval_seconds: 1 });
  });
  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  /** Resident memory of a process in MB. */
  const residentMb = (pid: number) => {
    const pages = Number(fs.readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return (pages * 4096) / 1024 / 1024;
  };

  /** One that never reads takes the answer and leaves all that follows in the socket. */
  function view(id: string, { reads }: { reads: boolean }): Promise<Viewer> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: pb.authStore.token };
      const asked = http.get(`${berth.url}/api/workspace/${id}/logs?tail=10`, { headers, agent: false }, (answer) => {
        const viewer = { bytes: 0, close: () => asked.destroy() };
        answer.on('error', () => undefined);
        if (reads) answer.on('data', (chunk: Buffer) => (viewer.bytes += chunk.length));
        resolve(viewer);
      });
      asked.on('error', reject);
    });
  }

  it('cost bounded memory, and one that never reads holds up nobody', async () => {
    const image = await buildImage(pb, host.id, { name: 'loud', dockerfile: ENDS_AT_ONCE });
    const fields = { name: 'loud', host: host.id, image: image.id, command: `yes ${LINE}` };
    const { id } = await pb.collection('workspaces').create(fields);
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    const stuck = await view(id, { reads: false });
    const viewers = await Promise.all(Array.from({ length: VIEWERS }, () => view(id, { reads: true })));
    await eventually('everyone is shown something', () => viewers.every(({ bytes }) => bytes > 100_000));

    const before = { agent: residentMb(agent.pid), console: residentMb(berth.pid) };
    const seen = viewers.map(({ bytes }) => bytes);
    const most = { ...before };
    let longestMs = 0;
    for (const untilMs = Date.now() + WATCHED_MS; Date.now() < untilMs;) {
      const sinceMs = performance.now();
      expect((await pb.collection('workspaces').getOne(id)).status).toBe('running');
      longestMs = Math.max(longestMs, performance.now() - sinceMs);
      most.agent = Math.max(most.agent, residentMb(agent.pid));
      most.console = Math.max(most.console, residentMb(berth.pid));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const shown = viewers.map(({ bytes }, index) => bytes - seen[index]!);
    const [agentMb, consoleMb] = [most.agent - before.agent, most.console - before.console].map(Math.round);
    process.stdout.write(
      `${VIEWERS} viewers: agent +${agentMb} MB, console +${consoleMb} MB, slowest answer ${Math.round(longestMs)} ms, ` +
        `${Math.round(Math.min(...shown) / 1e6)} to ${Math.round(Math.max(...shown) / 1e6)} MB shown\n`,
    );
    expect(agentMb).toBeLessThan(MAY_GROW_MB);
    expect(consoleMb).toBeLessThan(MAY_GROW_MB);
    for (const bytes of shown) expect(bytes).toBeGreaterThan(100_000);
    expect((await pb.collection('hosts').getOne(host.id)).status).toBe('online');

    await request(pb, 'workspace', id, 'stop');
    await reaches(pb, { collection: 'workspaces', id, status: 'stopped' });
    for (const viewer of [stuck, ...viewers]) viewer.close();
  }, 60_000);
});
