import { type FieldProblem, type FieldProblems, problemsOf } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import type { StoreReader } from '@/lib/records/transaction';
import { checkSecuritySetting, SECURITY_KEY } from '@/lib/auth/required-factor';
import { CACHE_KEY, cacheSettingSchema, checkCacheDirectory } from './cache-setting';
import { settingSchemas } from './setting-schemas';
import { checkSsoSetting, SSO_KEY, ssoSettingSchema } from './sso-setting';

/** Whether a stored value is none that this version takes. */
export function invalidSetting(key: string, value: unknown): boolean {
  const schema = key === SSO_KEY ? ssoSettingSchema : settingSchemas[key];
  return schema?.safeParse(value).success === false;
}

/** Problems of a setting's value, by field; a key that the console knows nothing of takes any value. */
export function checkSetting(
  key: string,
  value: unknown,
  { actor, tx }: { actor: Actor; tx: StoreReader },
): FieldProblem | FieldProblems {
  if (key === SECURITY_KEY) return checkSecuritySetting(value, actor, tx);
  if (key === SSO_KEY) return checkSsoSetting(value);
  const parsed = settingSchemas[key]?.safeParse(value);
  if (!parsed?.error) return key === CACHE_KEY ? checkCacheDirectory(cacheSettingSchema.parse(value).directory) : {};
  const { whole, fields } = problemsOf(parsed.error);
  return whole ?? fields;
}
