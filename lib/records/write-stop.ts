import { AppError } from '@/lib/errors';
import { singleton } from '@/lib/singleton';

const state = singleton('write-stop', () => ({ isStopped: false }));

/** Refuses new writes until the returned function is called: the database is about to be another. */
export function stopWrites(): () => void {
  state.isStopped = true;
  return () => {
    state.isStopped = false;
  };
}

/** Throws AppError `host_unavailable` while writes are stopped. */
export function refuseStoppedWrite(): void {
  if (!state.isStopped) return;
  throw new AppError('host_unavailable', 'A backup is being restored. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
}
