import type { Finding } from '../../lib/protocol/doctor-streams';
import { toMessage } from '../engines/engine-error';

/** What a check found; `cure` is left out where nothing is to be done. */
export type Found = Omit<Finding, 'check' | 'cure'> & { cure?: string };

export interface Check {
  /** What is looked at, in a word or two. */
  name: string;
  /** May throw: what can't be looked at has failed. */
  look(signal: AbortSignal): Promise<Found>;
}

const PATIENCE_MS = 12_000;
const WORDS_MAX = 2000;

export const ok = (found: string): Found => ({ state: 'ok', found });
export const skipped = (found: string): Found => ({ state: 'skipped', found });
export const warning = (found: string, cure: string): Found => ({ state: 'warning', found, cure });
export const failed = (found: string, cure: string): Found => ({ state: 'failed', found, cure });

/** Looks at everything at once, each with its own deadline. The findings are in the order of the checks. Never throws. */
export function examine(checks: Check[], patienceMs = PATIENCE_MS): Promise<Finding[]> {
  return Promise.all(checks.map((check) => runCheck(check, patienceMs)));
}

async function runCheck({ name, look }: Check, patienceMs: number): Promise<Finding> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Found>((resolve) => {
    timer = setTimeout(() => {
      late.abort();
      resolve(failed(`No answer within ${patienceMs / 1000} s.`, 'See what holds it up, and look again.'));
    }, patienceMs);
  });
  const looking = look(late.signal).catch((error: unknown) => failed(toMessage(error), ''));
  const found = await Promise.race([looking, deadline]);
  clearTimeout(timer);
  const cut = (text: string): string => text.slice(0, WORDS_MAX);
  return { check: name, state: found.state, found: cut(found.found), cure: cut(found.cure ?? '') };
}
