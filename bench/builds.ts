import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type PocketBase from 'pocketbase';
import { startConsole } from '../tests/setup/console-process';
import { BASE_IMAGE, ensureBaseImage } from '../tests/setup/docker';
import { cleanHost, localHost, request, setUp } from '../tests/setup/journey';
import { median, report } from './measure';

const run = promisify(execFile);
/** A client that comes alone leaves BuildKit to a plugin; Debian's has it built in. */
const CLIENT = fs.existsSync('/usr/bin/docker') ? '/usr/bin/docker' : 'docker';
const ROUNDS = 5;
const LOOK_MS = 10;
const MOST_MORE_MS = 300;
const MOST_MORE_SHARE = 0.03;

/** What a build takes from the call until its record says that it is there, against `docker build` of the same Dockerfile. */
export async function benchBuilds(): Promise<void> {
  await ensureBaseImage();
  const berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-bench-builds-'));
  let hostId = '';
  try {
    const pb = await setUp(berth.url);
    hostId = (await localHost(pb)).id;
    const spans: { own: number[]; plain: number[] } = { own: [], plain: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      spans.plain.push(await timePlain(folder, `plain ${round}`));
      spans.own.push(await timeOwn(pb, hostId, `own ${round}`));
    }
    const [own, plain] = [median(spans.own), median(spans.plain)];
    const most = Math.max(MOST_MORE_MS, plain * MOST_MORE_SHARE);
    const words = `${own.toFixed(0)} ms against ${plain.toFixed(0)} ms, ${(own - plain).toFixed(0)} ms more`;
    report('a build against `docker build`', words, '3 % or 300 ms more', own - plain <= most);
  } finally {
    await berth.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
    if (hostId) await cleanHost(hostId);
  }
}

/** Of a layer that was never built: some writing, some words and a moment of work. */
const dockerfileFor = (told: string): string =>
  `FROM ${BASE_IMAGE}\nRUN echo ${told} ${Date.now()} && seq 500 && dd if=/dev/zero of=/filled bs=1M count=8 && sleep 1\nRUN sleep 1 && echo done\n`;

async function timePlain(folder: string, told: string): Promise<number> {
  fs.writeFileSync(path.join(folder, 'Dockerfile'), dockerfileFor(told));
  const env = { ...process.env, DOCKER_BUILDKIT: '1' };
  const from = performance.now();
  await run(CLIENT, ['build', '-q', '-t', 'berth-bench/plain', folder], { env });
  return performance.now() - from;
}

async function timeOwn(pb: PocketBase, hostId: string, name: string): Promise<number> {
  const fields = { name, build_on: hostId, creationType: 'writeDockerfile', enabled: true };
  const image = await pb.collection('images').create({ ...fields, dockerfile: dockerfileFor(name) });
  const from = performance.now();
  await request(pb, 'image', image.id, 'build');
  for (;;) {
    const { status, statusMessage } = await pb.collection('images').getOne(image.id);
    if (status === 'build_finished') return performance.now() - from;
    if (status === 'error') throw new Error(`The build failed: ${statusMessage}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
