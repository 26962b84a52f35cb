import 'server-only';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { env } from '@/lib/env';

/** A text, as it runs from the sources and from bundles alike; SQLite's own look through the file blocks whoever asks for it. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require('better-sqlite3');
const db = new Database(workerData.file, { readonly: true, fileMustExist: true });
parentPort.postMessage(String(db.pragma('quick_check(1)', { simple: true })));
db.close();
`;

/** Whether the database is whole, found in a thread of its own: `ok`, what is wrong, or undefined where it took too long. */
export async function lookThroughDatabase(limitMs: number): Promise<string | undefined> {
  const worker = new Worker(PROGRAM, { eval: true, workerData: { file: path.join(env().dataDir, 'berth.db') } });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      timer = setTimeout(() => resolve(undefined), limitMs);
      worker.once('message', (found: string) => resolve(found));
      worker.once('error', reject);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
