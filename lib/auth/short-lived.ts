import 'server-only';
import { nowMs } from '@/lib/clock';
import { singleton } from '@/lib/singleton';

interface Entry<T> {
  value: T;
  endsAtMs: number;
}

/** What is remembered for some minutes under a name that nobody can guess. In memory: after a restart one begins anew. */
class ShortLived<T> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(
    private readonly lifeMs: number,
    private readonly max: number,
  ) {}

  put(key: string, value: T): void {
    this.entries.delete(key);
    if (this.entries.size >= this.max) this.entries.delete(this.entries.keys().next().value!);
    this.entries.set(key, { value, endsAtMs: nowMs() + this.lifeMs });
  }

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    return entry && entry.endsAtMs > nowMs() ? entry.value : undefined;
  }

  /** As `get`, and nobody gets it again. */
  take(key: string): T | undefined {
    const value = this.get(key);
    this.entries.delete(key);
    return value;
  }
}

/** The process's store of that name; the oldest entries make room when it is full. */
export function shortLived<T>(name: string, { lifeMs, max }: { lifeMs: number; max: number }): ShortLived<T> {
  return singleton(`short-lived-${name}`, () => new ShortLived<T>(lifeMs, max));
}
