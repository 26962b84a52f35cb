import 'server-only';
import { getDb } from '@/db/database';
import { nowMs, toWireDate } from '@/lib/clock';
import type { Credential } from '@/lib/policies/actor';
import { log } from '@/lib/log';
import { prepareWrite } from '@/lib/records/statements';
import { singleton } from '@/lib/singleton';

const EVERY_MS = 60_000;
const FLUSH_MS = 2000;
const MAX_REMEMBERED = 10_000;

interface Use {
  kind: Credential['kind'];
  atMs: number;
  address: string;
  isWritten: boolean;
}

/** Keeps when sessions and API tokens were used, and writes it later and at most once a minute each: a read stays a read. */
class LastUses {
  private readonly uses = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;

  note(kind: Credential['kind'], id: string, address: string): void {
    const known = this.uses.get(id);
    const now = nowMs();
    if (known && now - known.atMs < EVERY_MS) return;
    this.uses.delete(id);
    if (this.uses.size >= MAX_REMEMBERED) this.uses.delete(this.uses.keys().next().value!);
    this.uses.set(id, { kind, atMs: now, address, isWritten: false });
    this.timer ??= setTimeout(() => this.flushLater(), FLUSH_MS).unref();
  }

  /** Writes whatever waits. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const waiting = [...this.uses].filter(([, use]) => !use.isWritten);
    if (waiting.length === 0) return;
    const { sqlite } = getDb();
    const session = prepareWrite('UPDATE sessions SET last_used = ? WHERE id = ?');
    const apiToken = prepareWrite('UPDATE api_tokens SET last_used = ?, last_address = ? WHERE id = ?');
    sqlite.transaction(() => {
      for (const [id, { kind, atMs, address }] of waiting) {
        const at = toWireDate(atMs);
        if (kind === 'session') session.run(at, id);
        else apiToken.run(at, address, id);
      }
    })();
    for (const [, use] of waiting) use.isWritten = true;
  }

  private flushLater(): void {
    try {
      this.flush();
    } catch (error) {
      log.error({ err: error }, 'the last uses of sessions and tokens could not be written');
    }
  }
}

/** The process's one keeper of last uses. */
export function lastUses(): LastUses {
  return singleton('last-uses', () => new LastUses());
}
