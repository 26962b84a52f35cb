import 'server-only';
import { Worker } from 'node:worker_threads';

/** A package as a list of names has it. */
export interface ListedPackage {
  name: string;
  description: string;
  latestVersion: string;
}

/** Rows as they go to the thread: what is searched first. */
export type PackageRow = [key: string, name: string, description: string, latestVersion: string];
export type VersionRow = [key: string, name: string, version: string];

type WriteOrder = { packages: PackageRow[] } | { versions: VersionRow[] } | { finish: { etag: string } };
type Report = { done: true } | { error: string };

const PAGE_BYTES = 4096;

/**
 * The program of the thread that writes lists: sorting and indexing hundreds of thousands of names takes seconds. Shorter
 * names get lower ids, so that what is found first is what is shown first. A text, as the program of the threads that read is.
 */
const WRITER_PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require('better-sqlite3');
const db = new Database(workerData.file);
db.pragma('page_size = ${PAGE_BYTES}');
db.pragma('journal_mode = OFF');
db.pragma('synchronous = OFF');
db.pragma('cache_size = -16000');
db.pragma('max_page_count = ' + workerData.maxPages);
db.exec(\`
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE incoming (key TEXT, name TEXT, description TEXT, latest TEXT, PRIMARY KEY (key, name)) WITHOUT ROWID;
  CREATE TABLE versions (key TEXT, name TEXT, version TEXT, PRIMARY KEY (key, name, version)) WITHOUT ROWID;
\`);
const putPackage = db.prepare('INSERT OR IGNORE INTO incoming VALUES (?, ?, ?, ?)');
const putVersion = db.prepare('INSERT OR IGNORE INTO versions VALUES (?, ?, ?)');
const putAll = db.transaction((put, rows) => { for (const row of rows) put.run(row); });
function finish({ etag }) {
  db.exec(\`
    INSERT OR IGNORE INTO incoming SELECT DISTINCT key, name, '', '' FROM versions;
    CREATE TABLE packages (id INTEGER PRIMARY KEY, key TEXT, name TEXT, description TEXT, latest TEXT);
    INSERT INTO packages (key, name, description, latest)
      SELECT key, name, description, latest FROM incoming ORDER BY length(key), key;
    DROP TABLE incoming;
    CREATE INDEX packages_key ON packages (key);
    CREATE VIRTUAL TABLE words USING
      fts5(key, content='packages', content_rowid='id', tokenize='unicode61', prefix='1 2 3 4 5');
    INSERT INTO words (words) VALUES ('rebuild');
    CREATE VIRTUAL TABLE parts USING
      fts5(key, content='packages', content_rowid='id', tokenize='trigram', detail='none');
    INSERT INTO parts (parts) VALUES ('rebuild');
  \`);
  db.prepare('INSERT INTO meta VALUES (?, ?)').run('etag', etag);
  db.close();
}
parentPort.on('message', (order) => {
  try {
    if (order.finish) finish(order.finish);
    else if (order.packages) putAll(putPackage, order.packages);
    else putAll(putVersion, order.versions);
    parentPort.postMessage({ done: true });
  } catch (error) {
    parentPort.postMessage({ error: String(error.code || error.message) });
  }
});
`;

/** The list could not be written, in words. */
export class ListWriteError extends Error {}

const NO_ROOM =
  'The list takes more room than the cache or its disk has. An admin may give the cache more in the settings.';

/** Writes one list into a file of its own, on a thread of its own. Each order waits for the one before. */
export class ListWriter {
  private readonly worker: Worker;
  private failure: Error | undefined;
  private answer: ((report: Report) => void) | undefined;

  constructor(file: string, maxBytes: number) {
    const maxPages = Math.max(1, Math.floor(maxBytes / PAGE_BYTES));
    this.worker = new Worker(WRITER_PROGRAM, { eval: true, workerData: { file, maxPages } });
    this.worker.on('message', (report: Report) => this.answer?.(report));
    this.worker.on('error', (error) => {
      this.failure = error;
      this.answer?.({ error: error.message });
    });
  }

  /** Throws ListWriteError. */
  async order(order: WriteOrder): Promise<void> {
    if (this.failure) throw this.toError(this.failure.message);
    const report = await new Promise<Report>((resolve) => {
      this.answer = resolve;
      this.worker.postMessage(order);
    });
    if (!('error' in report)) return;
    throw this.toError(report.error);
  }

  private toError(code: string): ListWriteError {
    return new ListWriteError(code === 'SQLITE_FULL' ? NO_ROOM : `The list can not be kept on disk: ${code}.`);
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
