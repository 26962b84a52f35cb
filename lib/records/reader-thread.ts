import { READ_TIME_FUNCTION } from './read-time';

/** One statement of a job. */
export interface AsideStatement {
  readonly sql: string;
  readonly params: readonly (string | number | bigint | null)[];
}

/** What a thread is asked for: the statements see one moment of the database. */
export interface AsideJob {
  readonly statements: readonly AsideStatement[];
  readonly budgetMs: number;
  readonly maxChars: number;
}

/** The rows of each statement, and how long they all took. */
export interface AsideRows {
  readonly rows: unknown[][][];
  readonly tookMs: number;
}

export type AsideAnswer = AsideRows | { refused: 'time' | 'size' } | { error: string };

/**
 * The program of a thread that reads: a connection of its own that can't write, and the same function that stops statements.
 * A text, for it runs from the sources, from bundles and inside Next alike, whose files lie in different places.
 */
export const READER_PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require('better-sqlite3');
const db = new Database(workerData.file, { readonly: true, fileMustExist: true });
db.pragma('busy_timeout = 2000');
db.pragma('cache_size = -8000');
const TIME = 'time is over';
let endsAtMs = Infinity;
db.function('${READ_TIME_FUNCTION}', { varargs: true, deterministic: false }, () => {
  if (performance.now() > endsAtMs) throw new Error(TIME);
  return 1;
});
const known = new Map();
function prepare(sql) {
  let statement = known.get(sql);
  if (!statement) {
    if (known.size >= 100) known.delete(known.keys().next().value);
    known.set(sql, (statement = db.prepare(sql).raw()));
  }
  return statement;
}
const answer = db.transaction(({ statements, maxChars }) => {
  const startMs = performance.now();
  let chars = 0;
  const all = [];
  for (const { sql, params } of statements) {
    const rows = [];
    for (const row of prepare(sql).iterate(...params)) {
      for (const value of row) chars += typeof value === 'string' ? value.length + 20 : 20;
      if (chars > maxChars) return { refused: 'size' };
      rows.push(row);
    }
    all.push(rows);
  }
  return { rows: all, tookMs: performance.now() - startMs };
});
parentPort.on('message', (job) => {
  endsAtMs = performance.now() + job.budgetMs;
  try {
    parentPort.postMessage(answer(job));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    parentPort.postMessage(message === TIME ? { refused: 'time' } : { error: message });
  }
});
`;
