export const CHECK_STATES = ['ok', 'warning', 'error', 'skipped'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** What a look at something came to. */
export interface Verdict {
  state: CheckState;
  /** What was found, and what that means. */
  found: string;
  /** What to do; empty where nothing is to be done. */
  cure: string;
}

export const fine = (found: string): Verdict => ({ state: 'ok', found, cure: '' });
export const warning = (found: string, cure: string): Verdict => ({ state: 'warning', found, cure });
export const failed = (found: string, cure: string): Verdict => ({ state: 'error', found, cure });
export const skipped = (found: string): Verdict => ({ state: 'skipped', found, cure: '' });

/** One look at something. May throw: then it could not be looked at. */
export type Look = () => Verdict | Promise<Verdict>;

const LIMIT_MS = 8000;

/** What a look found; one that takes too long or fails says so, and holds up none of the others. */
export async function runLook<Code extends string>(
  code: Code,
  look: Look,
  limitMs = LIMIT_MS,
): Promise<Verdict & { code: Code }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Verdict>((resolve) => {
    const verdict = warning('This took too long to look at.', 'Look again, and see whether the machine is busy.');
    timer = setTimeout(() => resolve(verdict), limitMs);
  });
  try {
    return { code, ...(await Promise.race([look(), late])) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { code, ...warning(`This could not be looked at: ${why}.`, 'The log of the console may say more.') };
  } finally {
    clearTimeout(timer);
  }
}

/** The worst of them; what was not looked at doesn't count. */
export function worstOf(checks: readonly Verdict[]): 'ok' | 'warning' | 'error' {
  const has = (state: string) => checks.some((check) => check.state === state);
  if (has('error')) return 'error';
  return has('warning') ? 'warning' : 'ok';
}

/** Names for a sentence: the first of them, and how many more there are. */
export function someNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} (+${names.length - 5})` : shown;
}
