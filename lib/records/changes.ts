import 'server-only';
import { log } from '@/lib/log';
import { singleton } from '@/lib/singleton';

/** One record change, told to listeners after its transaction has committed. */
export interface RecordChange {
  collection: string;
  action: 'create' | 'update' | 'delete';
  id: string;
  /** The record as stored after the change; for a delete, as it last was. Keyed by wire name. */
  row: Record<string, unknown>;
}

/**
 * A listener may look at a delete while the row is still there (inside the transaction) and return what to do after the
 * commit: whether someone may see the message depends on rows that the same transaction may remove.
 */
export interface ChangeListener {
  onCommitted?(changes: readonly RecordChange[]): void;
  beforeDelete?(change: RecordChange): (() => void) | undefined;
}

/** The listeners of this process. */
export const changeListeners: Set<ChangeListener> = singleton('record-changes', () => new Set<ChangeListener>());

/** Adds a listener; the returned function removes it. */
export function listenToChanges(listener: ChangeListener): () => void {
  changeListeners.add(listener);
  return () => changeListeners.delete(listener);
}

/** A listener that fails must not keep a record from being deleted. */
export function beforeDeleteSafely(listener: ChangeListener, change: RecordChange): (() => void) | undefined {
  try {
    return listener.beforeDelete?.(change);
  } catch (error) {
    log.error({ err: error }, 'a listener failed before a delete');
    return undefined;
  }
}

/** Tells listeners and runs the steps. What comes after a commit can't undo it: one that throws is logged, the others go on. */
export function tellCommitted(changes: readonly RecordChange[], afterCommit: readonly (() => void)[]): void {
  const steps: (() => void)[] = [];
  if (changes.length > 0) for (const listener of changeListeners) steps.push(() => listener.onCommitted?.(changes));
  for (const step of [...steps, ...afterCommit]) {
    try {
      step();
    } catch (error) {
      log.error({ err: error }, 'a listener failed after a commit');
    }
  }
}
