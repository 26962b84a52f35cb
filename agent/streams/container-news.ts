import { waitFor } from '../wait';

/** Wakes those who wait for something to happen to a workspace's containers. */
export class ContainerNews {
  private readonly waiting = new Map<string, Set<AbortController>>();

  tell(workspaceId: string): void {
    for (const each of this.waiting.get(workspaceId) ?? []) each.abort();
  }

  /** Resolves at the next news, after the time, or when the signal fires. */
  async next(workspaceId: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const all = this.waiting.get(workspaceId) ?? new Set();
    this.waiting.set(workspaceId, all.add(woken));
    await waitFor(timeoutMs, AbortSignal.any([signal, woken.signal]));
    all.delete(woken);
    if (all.size === 0) this.waiting.delete(workspaceId);
  }
}
