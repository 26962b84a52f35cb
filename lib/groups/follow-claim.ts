import 'server-only';
import { auditMembership } from '@/lib/audit/writes';
import { limits } from '@/lib/vocabulary/limits';
import { system } from '@/lib/policies/actor';
import { StoreReader, write } from '@/lib/records/transaction';
import { prepare } from '@/lib/records/statements';
import { countMember } from './count-members';
import { groupMembers } from './members';

const NAMED = 'SELECT id FROM "groups" WHERE name IN (SELECT value FROM json_each(?))';

/** The names that a claim holds: a list, or a single one. What is no name is left out. */
export function namesOfClaim(claim: unknown): string[] {
  const names = [claim]
    .flat()
    .filter((name) => typeof name === 'string' && name !== '' && name.length <= limits.nameLength);
  return [...new Set(names as string[])].slice(0, limits.groupsPerClaim);
}

/**
 * Makes a person's memberships that come from the single sign-on equal to what it says of them now: groups of other names
 * are not made, and who was put into a group by hand stays there by hand.
 */
export async function followClaim(userId: string, names: readonly string[]): Promise<void> {
  const { joined, left } = changesOf(new StoreReader(), userId, names);
  if (joined.length === 0 && left.length === 0) return;
  await write((tx) => {
    const changes = changesOf(tx, userId, names);
    for (const row of changes.left) {
      tx.remove(groupMembers, row.id);
      countMember(tx, row.group, -1);
      auditMembership({ tx, actor: system, row, action: 'delete' });
    }
    for (const group of changes.joined) {
      const row = tx.insert(groupMembers, { user: userId, group, source: 'single sign-on' });
      countMember(tx, group, 1);
      auditMembership({ tx, actor: system, row, action: 'create' });
    }
  });
}

function changesOf(reader: StoreReader, user: string, names: readonly string[]) {
  const wanted = new Set(prepare(NAMED).pluck().all(JSON.stringify(names)) as string[]);
  const held = reader.find(groupMembers, { user });
  const known = new Set(held.map(({ group }) => group));
  return {
    joined: [...wanted].filter((group) => !known.has(group)),
    left: held.filter(({ source, group }) => source === 'single sign-on' && !wanted.has(group)),
  };
}
