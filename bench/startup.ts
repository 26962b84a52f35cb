import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../tests/setup/console-process';
import { median, report } from './measure';

const ROUNDS = 5;
const IDLE_MS = 20_000;

/** Start of the built console to its first served page, and its memory when idle with the embedded agent. */
export async function benchStartup(): Promise<void> {
  const bare: number[] = [];
  const first: number[] = [];
  let idleMb = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await timeBareNode());
    const { firstPageMs, rssMb } = await timeConsole(round === ROUNDS - 1 ? IDLE_MS : 0);
    first.push(firstPageMs);
    idleMb = rssMb;
  }
  const measured = median(first);
  report(
    'start to first page',
    `${measured.toFixed(0)} ms, ${(measured / median(bare)).toFixed(1)} × a bare node process`,
    'under 1500 ms',
    measured < 1500,
  );
  report(`memory after ${IDLE_MS / 1000} s idle`, `${idleMb.toFixed(0)} MB`, 'under 200 MB', idleMb < 200);
}

function timeBareNode(): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, ['-e', '0']);
  return new Promise((resolve) => child.once('exit', () => resolve(performance.now() - from)));
}

async function timeConsole(idleMs: number): Promise<{ firstPageMs: number; rssMb: number }> {
  const port = await freePort();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-bench-'));
  const from = performance.now();
  const child = spawn(process.execPath, ['dist/server.mjs'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      BERTH_DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  while (
    !(await fetch(`http://127.0.0.1:${port}/first-steps`).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (performance.now() - from > 30_000) throw new Error('the console served no page within 30 s');
  }
  const firstPageMs = performance.now() - from;
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const status = fs.readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const rssMb = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
  fs.rmSync(dataDir, { recursive: true, force: true });
  return { firstPageMs, rssMb };
}
