import 'server-only';
import { z } from 'zod';
import { anyAccountById } from '@/lib/auth/accounts';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { actorUserId, hasFullAccess, type Actor } from '@/lib/policies/actor';
import { nameOfGroup } from '@/lib/records/audit';
import { QUOTA_AMOUNTS, QUOTA_SOURCES, QUOTA_TIMES, type QuotaAmount } from '@/lib/vocabulary/quota';
import { type Bound, boundsOf, timeBoundsOf } from './bounds';
import { type Usage, usageOf } from './usage';

const origin = {
  bound: z.number().nullable().describe('Null for none'),
  from: z.enum(QUOTA_SOURCES).describe('What says so'),
  group: z
    .strictObject({ id: z.string(), name: z.string() })
    .nullable()
    .describe('The group that says so, if one does'),
};

export const quotaSchema = z.strictObject({
  isAdmin: z.boolean().describe('Admins are bound by a quota on them by name alone'),
  amounts: z.array(
    z.strictObject({
      amount: z.enum(QUOTA_AMOUNTS),
      used: z.number().describe('Bytes of memory and storage, cores of CPUs'),
      ...origin,
      uncounted: z
        .int()
        .describe('Running workspaces without a limit, and volumes of which the size is not known, or not in full'),
    }),
  ),
  times: z
    .array(z.strictObject({ time: z.enum(QUOTA_TIMES), ...origin }))
    .describe('How far they may go about the time of their workspaces, in minutes, days and hours'),
});

const UNCOUNTED: Partial<Record<QuotaAmount, keyof Usage>> = {
  cpus: 'unboundedCpus',
  memoryBytes: 'unboundedMemory',
  storageBytes: 'unmeasuredVolumes',
};

/** A person's quota and what of it is used. For admins, and for everyone of themselves; others get AppError `not_found`. */
export function tellQuota(actor: Actor, of: string): z.output<typeof quotaSchema> {
  const user = of || actorUserId(actor);
  const account = anyAccountById(user);
  const isTold = hasFullAccess(actor) || user === actorUserId(actor);
  if (!account || !isTold) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  const bounds = boundsOf(user);
  const usage = usageOf(user);
  const names = new Map<string, string>();
  const groupOf = (id: string) => {
    if (!names.has(id)) names.set(id, nameOfGroup(id));
    return { id, name: names.get(id)! };
  };
  const originOf = ({ bound, from, group }: Bound) => ({ bound, from, group: group === '' ? null : groupOf(group) });
  const times = timeBoundsOf(user);
  return {
    isAdmin: account.isAdmin,
    amounts: QUOTA_AMOUNTS.map((amount) => {
      const uncounted = UNCOUNTED[amount];
      const count = uncounted ? usage[uncounted] : 0;
      return { amount, used: usage[amount], ...originOf(bounds[amount]), uncounted: count };
    }),
    times: QUOTA_TIMES.map((time) => ({ time, ...originOf(times[time]) })),
  };
}
