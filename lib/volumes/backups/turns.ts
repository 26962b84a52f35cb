import 'server-only';
import { AppError } from '@/lib/errors';
import { singleton } from '@/lib/singleton';

const AT_ONCE = 2;

const state = singleton('volume-backup-turns', () => ({
  /** Volumes of which something is being read, or written. */
  busy: new Set<string>(),
  running: 0,
  waiting: [] as (() => void)[],
}));

/** Whether the volume is being backed up or restored. */
export function isVolumeBusy(volumeId: string): boolean {
  return state.busy.has(volumeId);
}

/** Takes the volume for one backup or restore at a time. Throws AppError `conflict` where another has it. */
export function takeVolume(volumeId: string): () => void {
  if (state.busy.has(volumeId)) {
    throw new AppError('conflict', 'The volume is being backed up or restored already. Try again when that is over.');
  }
  state.busy.add(volumeId);
  return () => state.busy.delete(volumeId);
}

/** Does the work when there are fewer than two others. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (state.running >= AT_ONCE) await new Promise<void>((resolve) => state.waiting.push(resolve));
  else state.running += 1;
  try {
    return await work();
  } finally {
    const next = state.waiting.shift();
    if (next) next();
    else state.running -= 1;
  }
}
