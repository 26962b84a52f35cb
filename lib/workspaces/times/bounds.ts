import 'server-only';
import type { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import { hasFullAccess } from '@/lib/policies/actor';
import { allows } from '@/lib/policies/evaluate';
import type { CheckContext, RowOf } from '@/lib/records/collection';
import { timeBoundsOf } from '@/lib/quotas/bounds';
import { StoredFacts } from '@/lib/records/facts';
import { timesSetting } from '@/lib/settings/times-setting';
import { workspacesPolicy } from '../policy';

type Context = CheckContext<RowOf<typeof workspacesTable>>;
type Act = 'deploy' | 'delete';

/** What a new workspace begins with where nothing is said: what is usual here, or its owner's ceiling where there is one. */
export function takeUsualTimes({ row, sent }: Context): void {
  const usual = usualTimes(row.created_by);
  if (!sent.has('idleMinutes')) row.idleMinutes = usual.idleMinutes;
  if (!sent.has('deleteAfterDays')) row.deleteAfterDays = usual.deleteDays;
}

/** What new workspaces of a person begin with; 0 is none. */
export function usualTimes(ownerId: string): { idleMinutes: number; deleteDays: number } {
  const { idleMinutesDefault, deleteDaysDefault } = timesSetting();
  const { idleMinutesMax, deleteDaysMax } = timeBoundsOf(ownerId);
  const within = (usual: number, ceiling: number | null) => Math.min(usual || Infinity, ceiling ?? Infinity);
  const known = (value: number) => (value === Infinity ? 0 : value);
  return {
    idleMinutes: known(within(idleMinutesDefault, idleMinutesMax.bound)),
    deleteDays: known(within(deleteDaysDefault, deleteDaysMax.bound)),
  };
}

/**
 * What is wrong with the times of a workspace beyond their form. Only admins go over the ceilings, and nobody has the clock
 * do what they may not do themselves. What is not changed stays as it was allowed once.
 */
export function checkTimes(context: Context): FieldProblems {
  const { idleMinutesMax, deleteDaysMax } = timeBoundsOf(context.row.created_by);
  const problems: Record<string, FieldProblem | undefined> = {
    idleMinutes: isChanged(context, 'idleMinutes')
      ? (needs(context, 'deploy') ?? above(context, context.row.idleMinutes, minutesWords(idleMinutesMax.bound)))
      : undefined,
    schedule: isChanged(context, 'schedule') ? needs(context, 'deploy') : undefined,
    deleteAfterDays: isChanged(context, 'deleteAfterDays')
      ? (needs(context, 'delete') ?? above(context, context.row.deleteAfterDays, daysWords(deleteDaysMax.bound)))
      : undefined,
  };
  const found = Object.entries(problems).filter((entry): entry is [string, FieldProblem] => entry[1] !== undefined);
  return Object.fromEntries(found);
}

function isChanged({ row, before }: Context, field: 'idleMinutes' | 'schedule' | 'deleteAfterDays'): boolean {
  return JSON.stringify(before?.[field] ?? 0) !== JSON.stringify(row[field] ?? 0) || !before;
}

interface Ceiling {
  /** Null where there is none. */
  max: number | null;
  words: string;
}

const minutesWords = (max: number | null): Ceiling => ({
  max,
  words: `Enter at most ${max} minutes: admins allow no more.`,
});
const daysWords = (max: number | null): Ceiling => ({ max, words: `Enter at most ${max} days: admins allow no more.` });

function above({ actor }: Context, value: number, { max, words }: Ceiling): FieldProblem | undefined {
  if (max === null || hasFullAccess(actor) || (value > 0 && value <= max)) return undefined;
  return { code: 'validation_above_ceiling', message: words };
}

const NEEDED: Record<Act, string> = {
  deploy: 'You do not have permission to start and stop this workspace.',
  delete: 'You do not have permission to delete this workspace.',
};

/** Of a workspace that is there: whoever makes one may do everything with it. */
function needs({ actor, before }: Context, act: Act): FieldProblem | undefined {
  if (!before || allows(workspacesPolicy.can[act], actor, before, new StoredFacts())) return undefined;
  return { code: 'validation_not_allowed', message: NEEDED[act] };
}
