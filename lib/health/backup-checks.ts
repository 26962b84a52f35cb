import 'server-only';
import { automaticFailure, nextAutomaticMs } from '@/lib/backups/automatic';
import { listBackups } from '@/lib/backups/folder';
import { nowMs } from '@/lib/clock';
import { failed, fine, type Verdict, warning } from '@/lib/verdict';

const DAY_MS = 86_400_000;
const OLD_DAYS = 8;

/** Whether there is a backup that is not too old. Those that lie elsewhere are not known. */
export async function checkBackups(): Promise<Verdict> {
  const failure = automaticFailure();
  const files = await listBackups();
  const [newest] = files;
  if (failure) return failed(`The last backup by the schedule was not made. ${failure.message}`, FREE);
  if (!newest)
    return warning('There is no backup of the console.', 'Make one, and set a schedule, in Settings → Backups.');
  const days = Math.floor((nowMs() - Date.parse(newest.modified)) / DAY_MS);
  if (days >= OLD_DAYS)
    return warning(`The newest backup is ${days} days old.`, 'Make one, or set a schedule for them.');
  if (nextAutomaticMs(files) === undefined) {
    return warning('There is a backup, and no schedule makes the next.', 'Set a schedule in Settings → Backups.');
  }
  if (days === 0) return fine('The newest backup is of the last 24 hours, and a schedule makes the next.');
  if (days === 1) return fine('The newest backup is of the last two days, and a schedule makes the next.');
  return fine(`The newest backup is ${days} days old, and a schedule makes the next.`);
}

const FREE = 'See to what is said, then make one by hand: the schedule tries again by itself.';
