import type { FieldProblems } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import type { WriteTransaction } from '@/lib/records/transaction';
import { checkSecuritySetting, SECURITY_KEY } from '@/lib/auth/required-factor';
import { checkSsoSetting, SSO_KEY } from './sso-setting';

/** Problems of a setting's value, by field; a key that the console knows nothing of takes any value. */
export function checkSetting(
  key: string,
  value: unknown,
  { actor, tx }: { actor: Actor; tx: WriteTransaction },
): FieldProblems {
  if (key === SECURITY_KEY) return checkSecuritySetting(value, actor, tx);
  return key === SSO_KEY ? checkSsoSetting(value) : {};
}
