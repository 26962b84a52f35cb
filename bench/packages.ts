import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { median, quantile, report } from './measure';

const [NAMES, WANTED_MS] = [600_000, 20];
const TYPED = ['n', 'p', 'py', 'num', 'nump', 'scikit-learn', 'learn', 'zzz', 'x1', 'pydata-kit', 'a-tool', 'sql-7'];

/** An index with as many projects as PyPI has, on a thread of its own, so that its work is not taken for the console's. */
const INDEX_PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const words = 'py data num flask torch learn scikit core utils api async http json test tool kit auto net graph sql'.split(' ');
const word = (number, at) => words[Math.floor(number / at) % words.length];
const nameOf = (number) => word(number, 1) + '-' + word(number, 20) + word(number, 400) + '-' + number.toString(36);
const server = require('node:http').createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"projects":[{"name":"numpy"}');
  let at = 0;
  const send = () => {
    while (at < workerData) {
      const text = Array.from({ length: 1000 }, (_, each) => ',{"name":"' + nameOf(at + each) + '"}').join('');
      at += 1000;
      if (!response.write(text)) return;
    }
    response.end(']}');
  };
  response.on('drain', send);
  send();
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

async function startIndex(): Promise<{ url: string; close: () => Promise<number> }> {
  const worker = new Worker(INDEX_PROGRAM, { eval: true, workerData: NAMES });
  const [port] = (await once(worker, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, close: () => worker.terminate() };
}

/** What a search of a list as long as PyPI's takes once it is on disk. */
export async function benchPackages(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-bench-'));
  const index = await startIndex();
  const [{ CacheFolder }, { Lists }, { pypiNames }, { env }] = await Promise.all([
    import('../lib/images/packages/cache-folder'),
    import('../lib/images/packages/lists'),
    import('../lib/images/packages/list-sources'),
    import('../lib/env'),
  ]);
  Object.assign(env(), { pypiIndexUrl: `${index.url}/simple` });
  const setting = { directory: dataDir, lifetimeMs: 3_600_000, maxBytes: 1e9 };
  const lists = new Lists(new CacheFolder(dataDir), () => setting);
  const get = () => lists.get(pypiNames(), () => undefined);
  let slowestTurnMs = 0;
  let before = performance.now();
  const turns = setInterval(() => {
    slowestTurnMs = Math.max(slowestTurnMs, performance.now() - before - 5);
    before = performance.now();
  }, 5);
  const startedAt = performance.now();
  while ((await get()).isLoading);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  clearInterval(turns);
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    for (const typed of TYPED) {
      const from = performance.now();
      (await get()).list!.search(typed, 20);
      times.push(performance.now() - from);
    }
  }
  const [middle, slow] = [median(times), quantile(times, 0.99)];
  report(
    `search of ${NAMES} names from cache, p99 (median ${middle.toFixed(2)} ms; fetched in ${seconds} s, longest turn ${slowestTurnMs.toFixed(0)} ms)`,
    `${slow.toFixed(1)} ms`,
    `${WANTED_MS} ms`,
    slow <= WANTED_MS,
  );
  lists.close();
  await index.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
}
