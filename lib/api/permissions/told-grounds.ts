import 'server-only';
import { z } from 'zod';
import type { Ground } from '@/lib/policies/evaluate';
import { prepare } from '@/lib/records/statements';

const namedSchema = z.strictObject({ id: z.string(), name: z.string() });

/** One reason why somebody may do something, as it leaves. */
export const groundSchema = z.strictObject({
  kind: z.enum(['admin', 'owner', 'grant', 'signedIn', 'self', 'member']),
  flags: z.array(z.string()).describe('Which of the flags that are asked for a permission holds'),
  permission: z.string().describe('The permission it rests on; empty where it rests on none'),
  group: namedSchema.nullable().describe('The group that holds it; null where they hold it themselves'),
  setBy: namedSchema.nullable().describe('Who set the permission last, where that is known'),
  at: z.string().describe('When the permission was last set'),
});
export type ToldGround = z.output<typeof groundSchema>;

const NAMES = {
  users: "SELECT id, coalesce(nullif(name, ''), username) FROM users WHERE id IN (SELECT value FROM json_each(?))",
  groups: 'SELECT id, name FROM "groups" WHERE id IN (SELECT value FROM json_each(?))',
};

/** Grounds as they leave, with the names of people and groups, which are read together for all of them. */
export function tellGrounds(lists: readonly (readonly Ground[])[]): ToldGround[][] {
  const grants = lists.flat().flatMap((ground) => (ground.kind === 'grant' ? [ground.grant] : []));
  const people = namesOf(
    'users',
    grants.map(({ set_by }) => set_by),
  );
  const groups = namesOf('groups', lists.flat().map(groupOf));
  return lists.map((grounds) =>
    grounds.map((ground) => {
      const grant = ground.kind === 'grant' ? ground.grant : undefined;
      return {
        kind: ground.kind,
        flags: ground.kind === 'grant' ? [...ground.flags] : [],
        permission: String(grant?.id ?? ''),
        group: groups(groupOf(ground)),
        setBy: people(grant?.set_by),
        at: String(grant?.updated ?? ''),
      };
    }),
  );
}

function groupOf(ground: Ground): unknown {
  if (ground.kind === 'grant') return ground.grant.group;
  return ground.kind === 'member' ? ground.group : '';
}

/** Looks the names up at once; the answer knows each of them, and is null for whoever is gone or none. */
function namesOf(of: keyof typeof NAMES, ids: readonly unknown[]) {
  const wanted = [...new Set(ids)].filter((id) => typeof id === 'string' && id !== '');
  const rows = wanted.length === 0 ? [] : (prepare(NAMES[of]).raw().all(JSON.stringify(wanted)) as [string, string][]);
  const names = new Map(rows);
  return (id: unknown) => (typeof id === 'string' && names.has(id) ? { id, name: names.get(id)! } : null);
}
