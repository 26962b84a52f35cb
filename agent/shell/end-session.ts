import { readdir, readFile } from 'node:fs/promises';
import { waitFor } from '../wait';

const HANGUP_PATIENCE_MS = 1000;
const LOOK_MS = 50;
/** Places of what follows the name in `/proc/{pid}/stat`. */
const STATE_FIELD = 0;
const SESSION_FIELD = 3;
const STARTED_FIELD = 19;

/**
 * Ends every process of a terminal's session on this machine: hangs up, and kills what stays. `mark` names the session's
 * leader and when it was started; another process that has its number by now is left alone, and so is what has a session
 * of its own. Returns what could not be done, in words.
 */
export async function endSession(mark: string): Promise<string> {
  const [leader = '', started = ''] = mark.split(' ');
  await signalAll(leader, started, 'SIGHUP');
  for (let waited = 0; waited < HANGUP_PATIENCE_MS; waited += LOOK_MS) {
    if ((await findMembers(leader, started)).length === 0) return '';
    await waitFor(LOOK_MS);
  }
  const refused = await signalAll(leader, started, 'SIGKILL');
  return refused.length === 0 ? '' : `Processes of another user stay: ${refused.join(', ')}.`;
}

/** Signals the members; returns those that the agent's user may not signal. */
async function signalAll(leader: string, started: string, signal: 'SIGHUP' | 'SIGKILL'): Promise<number[]> {
  const refused: number[] = [];
  for (const pid of await findMembers(leader, started)) {
    try {
      process.kill(pid, signal);
      // What is stopped hears nothing until it goes on.
      if (signal === 'SIGHUP') process.kill(pid, 'SIGCONT');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPERM') refused.push(pid);
    }
  }
  return refused;
}

async function findMembers(leader: string, started: string): Promise<number[]> {
  const holder = await readStat(leader);
  if (holder && holder[STARTED_FIELD] !== started) return [];
  const members: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readStat(entry);
    if (stat && stat[SESSION_FIELD] === leader && stat[STATE_FIELD] !== 'Z') members.push(Number(entry));
  }
  return members;
}

async function readStat(pid: string): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(') ') + 2).split(' ');
}
