import 'server-only';
import fs from 'node:fs';
import { nowMs } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { log } from '@/lib/log';
import { IndexError } from '@/lib/remote/index-answer';
import type { CacheSetting } from '@/lib/settings/cache-setting';
import { type CacheFolder, PROJECTS_ID } from './cache-folder';
import { createGate } from './gate';
import { ListFile } from './list-file';
import { type ListSource, NoSuchList } from './list-sources';
import { ListWriteError, ListWriter } from './list-writer';

/** A question waits so long for a list that is on its way; then it says that it is. */
const PATIENCE_MS = 2500;
const FETCH_MAX_MS = 15 * 60_000;
/** What failed is tried again after that, what is not there later. */
const RETRY_MS = 20_000;
const RETRY_MISSING_MS = 10 * 60_000;
const OPEN_MAX = 30;
const FAILURES_MAX = 500;

interface Kept {
  list: ListFile;
  checkedMs: number;
}

/** What is known of a list now. */
export interface ListState {
  /** What there is of it, be it old. */
  list: ListFile | undefined;
  isLoading: boolean;
  /** Why it could not be had, or not anew. */
  error: Error | undefined;
}

/** The lists of packages on disk: opened when they are asked for, fetched when there is none, and looked at again when they are old. */
export class Lists {
  private readonly kept = new Map<string, Kept>();
  private readonly running = new Map<string, { done: Promise<void>; abort: AbortController }>();
  private readonly failures = new Map<string, { atMs: number; error: Error }>();
  private readonly gate = createGate(2, 20);

  constructor(
    private readonly folder: CacheFolder,
    private readonly setting: () => CacheSetting,
  ) {}

  /** `spend` is called before a list is fetched that nobody has asked for before, and may throw. */
  async get(source: ListSource, spend: () => void): Promise<ListState> {
    const kept = this.open(source.id);
    const age = kept ? nowMs() - kept.checkedMs : Infinity;
    if (kept && age >= 0 && age < this.setting().lifetimeMs) return stateOf(kept.list);
    const failure = this.failureOf(source.id);
    if (failure) return { list: kept?.list, isLoading: false, error: failure };
    if (!this.running.has(source.id)) {
      if (!kept) spend();
      this.start(source, kept?.list.etag ?? '');
    }
    if (kept) return stateOf(kept.list);
    await waitFor(this.running.get(source.id)!.done, PATIENCE_MS);
    const error = this.failureOf(source.id);
    const list = this.open(source.id)?.list;
    return { list, isLoading: !list && !error, error };
  }

  /** Forgets everything, on disk too. */
  close(): void {
    for (const { abort } of this.running.values()) abort.abort();
    for (const id of [...this.kept.keys()]) this.drop(id);
    this.failures.clear();
  }

  private failureOf(id: string): Error | undefined {
    const failure = this.failures.get(id);
    const retryMs = failure?.error instanceof NoSuchList ? RETRY_MISSING_MS : RETRY_MS;
    return failure && Math.abs(nowMs() - failure.atMs) < retryMs ? failure.error : undefined;
  }

  private open(id: string): Kept | undefined {
    const known = this.kept.get(id);
    if (known) {
      this.kept.delete(id);
      this.kept.set(id, known);
      return known;
    }
    const file = this.folder.fileOf(id);
    if (!fs.existsSync(file)) return undefined;
    try {
      const kept = { list: new ListFile(file), checkedMs: fs.statSync(file).mtimeMs };
      this.kept.set(id, kept);
      if (this.kept.size > OPEN_MAX) this.drop(this.kept.keys().next().value!);
      return kept;
    } catch (error) {
      log.warn({ err: error, file }, 'a kept list of packages can not be read; it is fetched again');
      fs.rmSync(file, { force: true });
      return undefined;
    }
  }

  private drop(id: string): void {
    this.kept.get(id)?.list.close();
    this.kept.delete(id);
  }

  private start(source: ListSource, etag: string): void {
    const abort = new AbortController();
    const done = this.gate(() => this.refresh(source, { etag, abort }))
      .then(() => void this.failures.delete(source.id))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        log.info({ err: error, list: source.id }, 'a list of packages could not be fetched');
        if (this.failures.size >= FAILURES_MAX) this.failures.clear();
        // Whoever only has to wait asks again.
        if (!(error instanceof AppError)) this.failures.set(source.id, { atMs: nowMs(), error: toKnown(error) });
      })
      .finally(() => this.running.delete(source.id));
    this.running.set(source.id, { done, abort });
  }

  private async refresh(source: ListSource, { etag, abort }: { etag: string; abort: AbortController }): Promise<void> {
    abort.signal.throwIfAborted();
    const file = this.folder.fileOf(source.id);
    const unfinished = this.folder.unfinished(file);
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(FETCH_MAX_MS)]);
    const writers: ListWriter[] = [];
    const open = () => {
      this.folder.prepare();
      writers.push(new ListWriter(unfinished, this.setting().maxBytes));
      return writers[0]!;
    };
    try {
      const tags = await source.fill({ etag, signal, open });
      if (tags !== undefined) {
        await writers[0]!.order({ finish: { etag: tags } });
        signal.throwIfAborted();
        this.drop(source.id);
        fs.renameSync(unfinished, file);
      }
      fs.utimesSync(file, nowMs() / 1000, nowMs() / 1000);
      const kept = this.kept.get(source.id);
      if (kept) kept.checkedMs = nowMs();
    } finally {
      for (const writer of writers) await writer.end();
      fs.rmSync(unfinished, { force: true });
    }
    await this.folder.trim(this.setting().maxBytes, [file, this.folder.fileOf(PROJECTS_ID)], (old) => this.remove(old));
  }

  private async remove(file: string): Promise<void> {
    const id = [...this.kept.keys()].find((each) => this.folder.fileOf(each) === file);
    if (id !== undefined) this.drop(id);
    await fs.promises.rm(file, { force: true });
  }
}

/** In words that may be shown. */
function toKnown(error: unknown): Error {
  if (error instanceof IndexError || error instanceof ListWriteError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return new ListWriteError(`The list can not be kept on disk (${code}).`);
}

function stateOf(list: ListFile): ListState {
  return { list, isLoading: false, error: undefined };
}

/** Waits until something ends, but no longer than a time. */
async function waitFor(work: Promise<void>, patienceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
  await Promise.race([work, patience]).finally(() => clearTimeout(timer));
}
