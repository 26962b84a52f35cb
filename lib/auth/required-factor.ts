import 'server-only';
import { z } from 'zod';
import { settingsTable } from '@/db/schema/settings';
import { usersTable } from '@/db/schema/users';
import type { FieldProblems } from '@/lib/errors';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { keptUntilChange } from '@/lib/records/kept-value';
import { StoreReader } from '@/lib/records/transaction';

export const SECURITY_KEY = 'security';

/** The setting `security`: whose sign-in takes a second factor, whether they like it or not. */
const securitySchema = z.strictObject({ requireSecondFactor: z.enum(['nobody', 'admins', 'everyone']) });
type Requirement = z.infer<typeof securitySchema>['requireSecondFactor'];

const requirement = keptUntilChange('second-factor-requirement', ['settings'], (): Requirement => {
  const [row] = new StoreReader().find({ name: 'settings', table: settingsTable }, { key: SECURITY_KEY }, { limit: 1 });
  const parsed = securitySchema.safeParse(row?.value);
  return parsed.success ? parsed.data.requireSecondFactor : 'nobody';
});

/** Whether the console demands a second factor of the account. Asked with every call: kept until a setting changes. */
export function mustHaveSecondFactor({ isAdmin }: { isAdmin: boolean }): boolean {
  const whose = requirement();
  return whose === 'everyone' || (whose === 'admins' && isAdmin);
}

/** Whether the account has to set up a second factor before it may do anything else. */
export function lacksSecondFactor(account: { isAdmin: boolean; secondFactorSince: string }): boolean {
  return account.secondFactorSince === '' && mustHaveSecondFactor(account);
}

/** Problems of a value for the setting. Whoever demands a second factor of admins must have one, so that someone gets in. */
export function checkSecuritySetting(value: unknown, actor: Actor, reader: StoreReader): FieldProblems {
  const parsed = securitySchema.safeParse(value);
  if (!parsed.success) {
    const message = 'Must be {"requireSecondFactor": "nobody", "admins" or "everyone"}.';
    return { requireSecondFactor: { code: 'validation_invalid_value', message } };
  }
  if (parsed.data.requireSecondFactor === 'nobody' || actor.kind === 'system') return {};
  const account = reader.get({ name: 'users', table: usersTable }, actorUserId(actor));
  if (account && account.secondFactorSince !== '') return {};
  const message = 'Set up a second factor for your own account first, or nobody could log in to turn this off.';
  return { requireSecondFactor: { code: 'validation_own_second_factor', message } };
}
