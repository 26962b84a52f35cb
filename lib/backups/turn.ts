import 'server-only';
import { AppError } from '@/lib/errors';
import { singleton } from '@/lib/singleton';

const turn = singleton('backup-turn', () => ({ isTaken: false }));

/** Whether a backup is being made or restored. */
export function isBackupRunning(): boolean {
  return turn.isTaken;
}

/** Runs one backup or restore; throws AppError `invalid` while another runs. */
export async function inBackupTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turn.isTaken) {
    throw new AppError('invalid', 'Try again later - another backup/restore process has already been started.');
  }
  turn.isTaken = true;
  try {
    return await work();
  } finally {
    turn.isTaken = false;
  }
}
