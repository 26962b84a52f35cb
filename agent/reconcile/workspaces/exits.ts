import type { EngineEvent } from '../../engines/engine';

/** SIGINT, SIGQUIT, SIGKILL, SIGTERM: sent by someone who wants the container to end. */
const ENDING_SIGNALS = new Set([2, 3, 9, 15]);

/**
 * Tells a container that ended by itself from one that somebody stopped: a stop or kill by anyone is an event that comes
 * before the end; an end without one came from inside.
 */
export class ExitWatcher {
  private readonly killed = new Set<string>();
  private readonly outOfMemory = new Set<string>();

  /** The exit, when this event is one that came from inside. */
  take(event: EngineEvent): { containerId: string; exitCode: number; outOfMemory: boolean } | null {
    const { containerId } = event;
    if (event.type === 'kill' && ENDING_SIGNALS.has(event.signal ?? 0)) this.killed.add(containerId);
    if (event.type === 'oom') this.outOfMemory.add(containerId);
    if (event.type === 'start' || event.type === 'destroy') this.forget(containerId);
    if (event.type !== 'die') return null;
    const isByItself = !this.killed.has(containerId);
    const outOfMemory = this.outOfMemory.has(containerId);
    this.forget(containerId);
    return isByItself ? { containerId, exitCode: event.exitCode ?? 0, outOfMemory } : null;
  }

  private forget(containerId: string): void {
    this.killed.delete(containerId);
    this.outOfMemory.delete(containerId);
  }
}
