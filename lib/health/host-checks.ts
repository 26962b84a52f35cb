import 'server-only';
import { nowMs, toWireDate } from '@/lib/clock';
import { PROTOCOL_VERSION, PROTOCOL_VERSION_MIN } from '@/lib/protocol/version';
import { prepare } from '@/lib/records/statements';
import { failed, fine, someNames, type Verdict, warning } from '@/lib/verdict';

const SKEW_MS = 60_000;
const HOSTS_MAX = 1000;

/** Whether every host that is in use is online. */
export function checkHosts(): Verdict {
  const rows = prepare<{ name: string; status: string }>(
    'SELECT name, status FROM hosts WHERE enabled = 1 ORDER BY name LIMIT ?',
  ).all(HOSTS_MAX);
  const offline = rows.filter(({ status }) => status !== 'online').map(({ name }) => name);
  if (rows.length === 0) return warning('There is no host: nothing can run.', 'Add one under Hosts.');
  if (offline.length === 0) return fine(`All hosts are online: ${rows.length}.`);
  return warning(
    `Not online: ${someNames(offline)}. What runs there goes on; nothing new is done.`,
    'See whether the machine runs and its agent with it: `npm run agent -- doctor` there says what is wrong.',
  );
}

/** Whether the agents speak what this console speaks. */
export function checkAgents(): Verdict {
  const rows = prepare<{ name: string; protocol: number }>(
    `SELECT hosts.name AS name, host_identities.protocol AS protocol FROM host_identities
     JOIN hosts ON hosts.id = host_identities.host_id WHERE protocol > 0 ORDER BY name LIMIT ?`,
  ).all(HOSTS_MAX);
  const named = (which: (protocol: number) => boolean) =>
    rows.filter(({ protocol }) => which(protocol)).map(({ name }) => name);
  const refused = named((protocol) => protocol < PROTOCOL_VERSION_MIN);
  const older = named((protocol) => protocol < PROTOCOL_VERSION);
  const cure = 'Update the agents to the version of the console. What they run goes on meanwhile.';
  if (refused.length > 0) return failed(`Agents too old for this console: ${someNames(refused)}.`, cure);
  if (older.length > 0)
    return warning(`Agents older than the console, which miss some of it: ${someNames(older)}.`, cure);
  return fine('Every agent speaks the words of this console.');
}

/** Whether the clock was set back: what is to be done at a time would be done late. */
export function checkClock(): Verdict {
  const newest = prepare('SELECT created FROM audit ORDER BY created DESC LIMIT 1').pluck().get() as string | undefined;
  if (newest === undefined || newest <= toWireDate(nowMs() + SKEW_MS))
    return fine('The clock goes on from what is stored.');
  return failed(
    `The clock of the console was set back: something is stored as of ${newest}.`,
    'Set the clock right, and keep it so (NTP). Tokens and schedules go wrong otherwise.',
  );
}
