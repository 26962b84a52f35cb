import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, containersOf, localHost, reaches, request, setUp } from '../setup/journey';

const LOG_MB = Number(process.env.BERTH_TEST_LOG_MB ?? 96);
/** Read before the measured one, so that what the first download costs once is not counted. */
const WARM_UP_MB = 24;
const MAY_GROW_MB = 20;
const LINE_CHARS = 1000;

/** Makes a stopped container's log as large as that, as json-file writes it. */
function writeLog(file: string, megabytes: number): number {
  const time = '2026-01-01T00:00:00.000000000Z';
  const line = `${JSON.stringify({ log: `${'x'.repeat(LINE_CHARS)}\n`, stream: 'stdout', time })}\n`;
  const block = Buffer.from(line.repeat(1024));
  const blocks = Math.ceil((megabytes * 1024 ** 2) / block.length);
  const handle = fs.openSync(file, 'w');
  for (let index = 0; index < blocks; index += 1) fs.writeSync(handle, block);
  fs.closeSync(handle);
  return blocks * 1024;
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

/** A figure of a process's memory: what it holds, or the most that it has held since its peak was reset. */
function readMb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

function resetPeak(pid: number): void {
  fs.writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

describe.skipIf(!engineIsThere())('a log that is larger than the memory', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent | undefined;
  const hostIds: string[] = [];

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
  });
  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    for (const id of hostIds) await cleanHost(id);
  });

  it('is downloaded whole, while agent and console stay as they are', async () => {
    const pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: 'local' });
    const host = await localHost(pb);
    hostIds.push(host.id);
    const image = await buildImage(pb, host.id, { name: 'talker' });
    const fields = { name: 'talker', host: host.id, image: image.id, enabled: true };
    const { id } = await pb.collection('workspaces').create(fields);
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    await request(pb, 'workspace', id, 'stop');
    await reaches(pb, { collection: 'workspaces', id, status: 'stopped' });
    const [container] = await containersOf(id);
    const logFile = await docker('inspect', '-f', '{{.LogPath}}', container!);
    const download = async (): Promise<number> => {
      const headers = { authorization: pb.authStore.token };
      const answer = await fetch(`${berth.url}/api/workspace/${id}/logs/download`, { headers });
      let newlines = 0;
      const reader = answer.body!.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        newlines += countNewlines(Buffer.from(part.value));
      }
      return newlines;
    };
    const pids = { agent: agent.pid, console: berth.pid };
    expect(await (writeLog(logFile, WARM_UP_MB), download())).toBeGreaterThan(0);
    const lines = writeLog(logFile, LOG_MB);
    const before = { agent: readMb(pids.agent, 'VmRSS'), console: readMb(pids.console, 'VmRSS') };
    for (const pid of Object.values(pids)) resetPeak(pid);
    expect(await download()).toBe(lines);
    const grown = {
      agent: readMb(pids.agent, 'VmHWM') - before.agent,
      console: readMb(pids.console, 'VmHWM') - before.console,
    };
    process.stdout.write(`${LOG_MB} MB of log: agent +${grown.agent} MB, console +${grown.console} MB\n`);
    expect(grown.agent).toBeLessThan(MAY_GROW_MB);
    expect(grown.console).toBeLessThan(MAY_GROW_MB);
  }, 240_000);
});
