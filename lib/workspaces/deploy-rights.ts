import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { AppError, type FieldProblem, type FieldProblems, isProblem } from '@/lib/errors';
import { domains } from '@/lib/domains/collection';
import { hosts } from '@/lib/hosts/collection';
import { images } from '@/lib/images/collection';
import { networks } from '@/lib/networks/collection';
import type { Actor } from '@/lib/policies/actor';
import { may } from '@/lib/records/acts';
import { notAllowed } from '@/lib/records/attached';
import type { Collection } from '@/lib/records/collection';
import type { WriteTransaction } from '@/lib/records/transaction';
import { volumes } from '@/lib/volumes/collection';
import { requireOwnAddresses } from './address-checks';
import type { WorkspaceRow } from './collection';
import { attachUse } from './mount-checks';
import { domainUse } from './url-checks';

export const hostUse = {
  act: 'canCreateWorkspaces',
  refusal: 'You do not have permission to create workspaces on this host.',
} as const;

export const imageUse = { act: 'deploy', refusal: 'You do not have permission to deploy this image.' } as const;

/**
 * Throws `invalid` with what of a workspace the actor may not deploy, by field: a right that was held when the record was
 * written may have been taken away since.
 */
export function requireDeployRights(tx: WriteTransaction, workspace: WorkspaceRow, actor: Actor): void {
  const by = { actor, tx };
  const refused: Record<string, FieldProblem | FieldProblems | undefined> = {
    host: refuse(hosts, { ...hostUse, ...by, ids: [workspace.host] }),
    image: refuse(images, { ...imageUse, ...by, ids: [workspace.image] }),
    volumes: refuse(volumes, { ...attachUse('volume'), ...by, ids: workspace.volumes }),
    networks: refuse(networks, { ...attachUse('network'), ...by, ids: workspace.networks }),
    externalUrls: checkDomains(by, workspace),
  };
  requireOwnAddresses(tx, workspace, actor);
  const found = Object.entries(refused).filter((entry): entry is [string, FieldProblem | FieldProblems] => !!entry[1]);
  if (found.length === 0) return;
  const words = found.map(([, problem]) => (isProblem(problem) ? problem.message : domainUse.refusal));
  throw new AppError('invalid', words.join(' '), { fields: Object.fromEntries(found) });
}

interface By {
  actor: Actor;
  tx: WriteTransaction;
}

function checkDomains(by: By, { externalUrls }: WorkspaceRow): FieldProblems | undefined {
  const problems: FieldProblems = {};
  (externalUrls ?? []).forEach(({ domain }, index) => {
    const problem = refuse(domains, { ...domainUse, ...by, ids: [domain] });
    if (problem) problems[index] = { domain: problem };
  });
  return Object.keys(problems).length > 0 ? problems : undefined;
}

/** Says the same of what the actor can't even see: that the workspace uses it is no secret. What is gone is told elsewhere. */
function refuse<T extends SQLiteTable, A extends string>(
  collection: Collection<T, A>,
  { actor, tx, ids, act, refusal }: By & { ids: readonly string[]; act: NoInfer<A>; refusal: string },
): FieldProblem | undefined {
  const rows = ids.map((id) => tx.get(collection, id)).filter((row) => row !== undefined);
  return rows.every((row) => may(actor, { collection, row, act })) ? undefined : notAllowed(refusal);
}
