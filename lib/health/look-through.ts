import 'server-only';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { env } from '@/lib/env';

/** A text, as it runs from the sources and from bundles alike. */
const PROGRAM = `
const tell = (words) => process.stdout.write(JSON.stringify(words));
try {
  const Database = require('better-sqlite3');
  const db = new Database(process.argv[1], { readonly: true, fileMustExist: true });
  tell({ found: String(db.pragma('quick_check(1)', { simple: true })) });
} catch ({ code, message }) {
  tell({ code, message });
}
`;

type Told = { found: string } | { code?: string; message: string };

/**
 * Whether the database is whole: `ok`, what is wrong, or undefined where it took too long. SQLite looks through the file in one
 * call that blocks its thread and can't be ended from another: so a process does it, which can.
 */
export function lookThroughDatabase(
  limitMs: number,
  file = path.join(env().dataDir, 'berth.db'),
): Promise<string | undefined> {
  const limits = { timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: 1024 * 1024 } as const;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['-e', PROGRAM, file], limits, (error, words) => {
      if (error) return error.killed === true ? resolve(undefined) : reject(error);
      const told = JSON.parse(words) as Told;
      if ('found' in told) resolve(told.found);
      else reject(Object.assign(new Error(told.message), { code: told.code }));
    });
  });
}
