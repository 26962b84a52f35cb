import { hostsTable } from '@/db/schema/hosts';
import { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import { mayAct } from '@/lib/records/can';
import type { CheckContext } from '@/lib/records/collection';
import { refuseUsed } from '@/lib/records/refuse-used';
import type { WriteTransaction } from '@/lib/records/transaction';
import { missingRelation, notAllowed } from '@/lib/records/attached';
import { hosts } from './collection';
import type { HostAct } from './policy';
import { closedProblem } from './takes-new';

interface OnHost {
  id: string;
  host: string;
}

/** Volumes and networks: made on a host by whom that host lets, and never moved to another. */
export function checkHostResource<Row extends OnHost>(
  context: CheckContext<Row>,
  { act, refusal }: { act: HostAct; refusal: string },
): FieldProblems {
  const { row, before } = context;
  if (before && before.host !== row.host) {
    return { host: { code: 'validation_in_invalid', message: 'The host can not change.' } };
  }
  const problem = before ? undefined : checkHost(context, { act, refusal });
  return problem ? { host: problem } : {};
}

function checkHost<Row extends OnHost>(
  { actor, tx, row }: CheckContext<Row>,
  { act, refusal }: { act: HostAct; refusal: string },
): FieldProblem | undefined {
  const host = tx.get({ name: 'hosts', table: hostsTable }, row.host);
  if (!host) return undefined;
  if (!mayAct(hosts, { actor, act: 'view', row: host })) return missingRelation();
  if (!mayAct(hosts, { actor, act, row: host })) return notAllowed(refusal);
  return closedProblem(host);
}

const workspaces = { name: 'workspaces', table: workspacesTable };

interface Asked {
  tx: WriteTransaction;
  actor: Actor;
}

/** Refuses to delete what workspaces use. */
export function refuseWhileUsed({ tx, actor }: Asked, field: 'volumes' | 'networks', id: string): void {
  const users = tx.findReferring(workspaces, { field, id, multiple: true });
  refuseUsed(
    { tx, actor },
    workspaces.name,
    users.map((row) => ({ id: String(row.id), name: String(row.name) })),
  );
}
