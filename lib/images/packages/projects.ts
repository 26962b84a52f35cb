import 'server-only';
import fs from 'node:fs';
import Database from 'better-sqlite3';
import { nowMs } from '@/lib/clock';
import { log } from '@/lib/log';
import type { CacheSetting } from '@/lib/settings/cache-setting';
import { type CacheFolder, PROJECTS_ID } from './cache-folder';
import { createGate } from './gate';
import { type Project, readProject } from './read-project';
import type { PackageSource } from './sources';

const ANSWER_MAX_MS = 15_000;
/** After an index failed it is left alone for so long. */
const RETRY_MS = 10_000;
const KEPT_MAX = 5000;

interface Row {
  checkedMs: number;
  json: string;
}

/** What is known of a project; undefined where the index has none of that name. */
export interface ProjectState {
  project: Project | undefined;
  /** Why it could not be had anew. */
  error: Error | undefined;
}

/** What pypi indexes said of single projects, on disk. */
export class Projects {
  private db: ReturnType<typeof openFile> | undefined;
  private readonly running = new Map<string, Promise<Project | undefined>>();
  private failure: { index: string; atMs: number; error: Error } | undefined;
  private readonly gate = createGate(8, 100);

  constructor(
    private readonly folder: CacheFolder,
    private readonly setting: () => CacheSetting,
  ) {}

  /** `spend` is called before the index is asked, and may throw. Throws IndexError where nothing is known and the index fails. */
  async get(source: PackageSource, key: string, spend: () => void): Promise<ProjectState> {
    const id = `${source.url} ${key}`;
    const row = this.open().get.get(id);
    const known = row && { project: toProject(row.json), error: undefined };
    const age = row ? nowMs() - row.checkedMs : Infinity;
    if (known && age >= 0 && age < this.setting().lifetimeMs) return known;
    try {
      return { project: await this.ask(source, { id, key, spend }), error: undefined };
    } catch (error) {
      if (known && error instanceof Error) return { ...known, error };
      throw error;
    }
  }

  /** What is known of some projects without asking anyone. */
  known(source: PackageSource, keys: readonly string[]): (Project | undefined)[] {
    const { get } = this.open();
    return keys.map((key) => {
      const row = get.get(`${source.url} ${key}`);
      return row && toProject(row.json);
    });
  }

  close(): void {
    this.db?.close();
    this.db = undefined;
    this.failure = undefined;
  }

  private ask(
    source: PackageSource,
    { id, key, spend }: { id: string; key: string; spend: () => void },
  ): Promise<Project | undefined> {
    const { failure } = this;
    if (failure?.index === source.url && Math.abs(nowMs() - failure.atMs) < RETRY_MS) throw failure.error;
    const known = this.running.get(id);
    if (known) return known;
    spend();
    const work = this.gate(async () => {
      const project = await readProject(source, key, AbortSignal.timeout(ANSWER_MAX_MS));
      this.keep(id, project);
      return project;
    })
      .catch((error: Error) => {
        this.failure = { index: source.url, atMs: nowMs(), error };
        throw error;
      })
      .finally(() => this.running.delete(id));
    this.running.set(id, work);
    return work;
  }

  private open(): ReturnType<typeof openFile> {
    return (this.db ??= this.openKept());
  }

  /** What is on disk; what can't be read begins anew, and where nothing can be written it is kept in memory. */
  private openKept(): ReturnType<typeof openFile> {
    const file = this.folder.fileOf(PROJECTS_ID);
    try {
      this.folder.prepare();
      return openFile(file);
    } catch (error) {
      log.warn({ err: error, file }, 'what is kept of packages can not be read; it begins anew');
    }
    try {
      for (const end of ['', '-wal', '-shm']) fs.rmSync(`${file}${end}`, { force: true });
      return openFile(file);
    } catch (error) {
      log.warn({ err: error, file }, 'what indexes say of packages can not be kept on disk');
      return openFile(':memory:');
    }
  }

  private keep(id: string, project: Project | undefined): void {
    try {
      this.open().put(id, JSON.stringify(project ?? null));
    } catch (error) {
      log.warn({ err: error }, 'what an index says of a package can not be kept');
    }
  }
}

function openFile(file: string) {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = OFF');
  db.exec('CREATE TABLE IF NOT EXISTS projects (id TEXT PRIMARY KEY, checkedMs INTEGER, json TEXT)');
  db.exec('CREATE INDEX IF NOT EXISTS projects_checked ON projects (checkedMs)');
  const put = db.prepare('INSERT OR REPLACE INTO projects VALUES (?, ?, ?)');
  const count = db.prepare('SELECT COUNT(*) FROM projects').pluck();
  const forget = db.prepare('DELETE FROM projects WHERE id IN (SELECT id FROM projects ORDER BY checkedMs LIMIT ?)');
  let rows = count.get() as number;
  return {
    get: db.prepare<[string], Row>('SELECT checkedMs, json FROM projects WHERE id = ?'),
    put(id: string, json: string): void {
      put.run(id, nowMs(), json);
      rows += 1;
      if (rows <= KEPT_MAX) return;
      forget.run(KEPT_MAX / 10);
      rows = count.get() as number;
    },
    close: () => db.close(),
  };
}

function toProject(json: string): Project | undefined {
  return (JSON.parse(json) as Project | null) ?? undefined;
}
