import 'server-only';
import type { workspacesTable } from '@/db/schema/workspaces';
import { nowMs } from '@/lib/clock';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import type { CheckContext, RowOf } from '@/lib/records/collection';
import { limits } from '@/lib/vocabulary/limits';
import type { PortShare } from '@/lib/vocabulary/workspace';
import { portSharesSchema } from '@/lib/vocabulary/workspace-schemas';

const DAY_MS = 86_400_000;
/** A browser's clock may be ahead of ours. */
const SLACK_MS = 5 * 60_000;

/** Dates of public ports: ahead, and not too far. What is stored already may have passed. */
export function checkShares({ row, before }: CheckContext<RowOf<typeof workspacesTable>>): FieldProblems | undefined {
  const shares = portSharesSchema.safeParse(row.portShares ?? []);
  if (!shares.success) return undefined;
  const problems: FieldProblems = {};
  shares.data.forEach((share, index) => {
    const isKept = before?.portShares?.some((other) => isSame(share, other));
    const problem = share.level === 'public' && !isKept ? dateProblem(share) : undefined;
    if (problem) problems[index] = { until: problem };
  });
  return Object.keys(problems).length > 0 ? problems : undefined;
}

const isSame = (one: PortShare, other: PortShare): boolean =>
  one.port === other.port && one.level === other.level && one.until === other.until;

function dateProblem({ until }: PortShare): FieldProblem | undefined {
  const leftMs = Date.parse(until) - nowMs();
  if (leftMs <= 0) return { code: 'validation_date_passed', message: 'The date has passed.' };
  if (leftMs <= limits.publicPortDays * DAY_MS + SLACK_MS) return undefined;
  const message = `A port is public for ${limits.publicPortDays} days at most.`;
  return { code: 'validation_date_too_far', message };
}
