import { readFile } from 'node:fs/promises';
import { Backoff } from '../backoff';
import type { AgentClock } from '../clock';
import type { AgentLog } from '../log';
import { waitFor } from '../wait';

/**
 * Where the join token comes from. A file may appear late and be renewed; a literal is what it is; a function is asked only
 * when the host has to join.
 */
export interface JoinTokenSource {
  joinToken?: string | (() => Promise<string>) | undefined;
  joinTokenFile?: string | undefined;
}

interface Waiting extends JoinTokenSource {
  clock: AgentClock;
  log: AgentLog;
  signal: AbortSignal;
}

const RETRY = { firstMs: 500, longestMs: 10_000 };

/** Hands out join tokens: the literal one, else what the file holds at the time. */
export class JoinTokens {
  private readonly backoff: Backoff;
  private refused = '';
  private lastWords = '';

  constructor(private readonly options: Waiting) {
    this.backoff = new Backoff({ ...RETRY, random: () => options.clock.random() });
  }

  /** Whether a refused token may be followed by another. */
  get isRenewable(): boolean {
    return !this.options.joinToken && Boolean(this.options.joinTokenFile);
  }

  /** Waits for a token that was not refused yet. Throws when there is no source, and when the agent is to leave. */
  async next(): Promise<string> {
    const { joinToken, joinTokenFile, signal } = this.options;
    if (joinToken) return typeof joinToken === 'function' ? joinToken() : joinToken;
    if (!joinTokenFile) {
      throw new Error('This host has not joined a console yet: set BERTH_JOIN_TOKEN or BERTH_JOIN_TOKEN_FILE');
    }
    for (;;) {
      signal.throwIfAborted();
      const token = await readToken(joinTokenFile);
      if (token !== '' && token !== this.refused) return token;
      if (token === '') this.say(`There is no join token at ${joinTokenFile} yet; waiting for one`);
      await waitFor(100 + this.backoff.next(), signal);
    }
  }

  /** The console refused this token; `next` waits until the file holds another. */
  refuse(token: string, words: string): void {
    this.refused = token;
    this.say(`${words} Waiting for another in ${this.options.joinTokenFile}`);
  }

  private say(words: string): void {
    if (words !== this.lastWords) this.options.log.warn({}, words);
    this.lastWords = words;
  }
}

/** Empty where there is no file yet. */
async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
