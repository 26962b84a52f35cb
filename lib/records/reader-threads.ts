import 'server-only';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { beforeClose, getDb } from '@/db/database';
import { AppError } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import { answerTooLarge } from './read-size';
import { TookTooLong } from './read-time';
import { READER_PROGRAM, type AsideAnswer, type AsideJob, type AsideRows, type AsideStatement } from './reader-thread';

/** A list that takes longer asks for too much. */
const BUDGET_MS = 2000;
/** After that a thread that does not say a word is ended. */
const GRACE_MS = 1000;
/** What may wait of one account: as many as a busy program of its own has under way. */
const WAITING_MAX = 100;
const IDLE_MS = 30_000;

interface Waiting {
  job: AsideJob;
  who: string;
  resolve(answer: AsideRows): void;
  reject(error: unknown): void;
}

interface Thread {
  worker: Worker;
  current: Waiting | undefined;
  deadline?: NodeJS.Timeout;
}

/** Threads that read the database beside everything else, each by a connection of its own. */
class ReaderThreads {
  /** One account may use every core, and one thread is left for the others. */
  private readonly size = availableParallelism() + 1;
  private readonly threads = new Set<Thread>();
  /** For whom threads that are being ended still work. */
  private readonly ending: string[] = [];
  /** By account, in the order of their turns. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(private readonly file: string) {}

  read(statements: readonly AsideStatement[], who: string): Promise<AsideRows> {
    const mine = this.waiting.get(who) ?? [];
    if (mine.length >= WAITING_MAX) {
      const message = 'Too many lists at once. Please try again.';
      return Promise.reject(new AppError('rate_limited', message, { retryAfterSeconds: 2 }));
    }
    return new Promise((resolve, reject) => {
      const job = { statements, budgetMs: BUDGET_MS, maxChars: limits.answerChars };
      mine.push({ job, who, resolve, reject });
      this.waiting.set(who, mine);
      this.startNext();
    });
  }

  private startNext(): void {
    for (;;) {
      const held = [...this.ending, ...[...this.threads].flatMap(({ current }) => current?.who ?? [])];
      if (held.length >= this.size) return;
      const holds = (who: string) => held.filter((each) => each === who).length;
      const who = [...this.waiting.keys()].find((each) => holds(each) < this.size - 1);
      if (who === undefined) return;
      const mine = this.waiting.get(who)!;
      const next = mine.shift()!;
      // Whoever had a turn is last.
      this.waiting.delete(who);
      if (mine.length > 0) this.waiting.set(who, mine);
      this.run([...this.threads].find(({ current }) => !current) ?? this.open(), next);
    }
  }

  private run(thread: Thread, waiting: Waiting): void {
    clearTimeout(thread.deadline);
    thread.current = waiting;
    thread.worker.ref();
    thread.deadline = setTimeout(() => this.end(thread, new TookTooLong()), BUDGET_MS + GRACE_MS);
    thread.worker.postMessage(waiting.job);
  }

  private open(): Thread {
    const worker = new Worker(READER_PROGRAM, { eval: true, workerData: { file: this.file } });
    const thread: Thread = { worker, current: undefined };
    this.threads.add(thread);
    worker.on('message', (answer: AsideAnswer) => this.finish(thread, answer));
    worker.on('error', (error) => this.end(thread, error));
    return thread;
  }

  private finish(thread: Thread, answer: AsideAnswer): void {
    if (!this.threads.has(thread)) return;
    const { current } = thread;
    thread.current = undefined;
    clearTimeout(thread.deadline);
    thread.worker.unref();
    thread.deadline = setTimeout(() => this.end(thread), IDLE_MS).unref();
    if ('rows' in answer) current?.resolve(answer);
    else if ('error' in answer) current?.reject(new Error(answer.error));
    else current?.reject(answer.refused === 'time' ? new TookTooLong() : answerTooLarge());
    this.startNext();
  }

  private end(thread: Thread, error?: unknown): void {
    clearTimeout(thread.deadline);
    if (!this.threads.delete(thread)) return;
    // It holds its place until it is gone: a step of SQLite's own is ended by nobody.
    const who = thread.current?.who;
    if (who !== undefined) this.ending.push(who);
    void thread.worker.terminate().finally(() => {
      if (who !== undefined) this.ending.splice(this.ending.indexOf(who), 1);
      this.startNext();
    });
    thread.current?.reject(error);
    thread.current = undefined;
  }

  close(): void {
    const error = new AppError('host_unavailable', 'The console is stopping. Please try again.');
    for (const { reject } of [...this.waiting.values()].flat()) reject(error);
    this.waiting.clear();
    for (const thread of [...this.threads]) this.end(thread, error);
  }
}

const byConnection = new WeakMap<Database.Database, ReaderThreads>();

/**
 * What the statements find, read by a thread: in turn with other accounts, so that nobody waits for one who asks for much. Sees
 * everything that has been committed. Throws AppError `invalid` where it takes too long or is too much.
 */
export function readAside(statements: readonly AsideStatement[], who: string): Promise<AsideRows> {
  const { sqlite } = getDb();
  let threads = byConnection.get(sqlite);
  if (!threads) {
    const opened = (threads = new ReaderThreads(sqlite.name));
    byConnection.set(sqlite, opened);
    beforeClose().add(() => opened.close());
  }
  return threads.read(statements, who);
}
