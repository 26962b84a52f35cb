import { z } from 'zod';
import { type FieldProblems, problemsOf } from '@/lib/errors';
import { BLANK } from '@/lib/records/fields/field';
import { isWebAddress } from './web-address';

export const SSO_KEY = 'sso';

const TEXT_MAX = 500;
const text = () => z.string('Must be a text.').trim().max(TEXT_MAX, 'This value is too long.');
const named = (name: string) => text().transform((value) => (value === '' ? name : value));
const address = () =>
  text().refine(
    (value) => value === '' || isWebAddress(value),
    'Enter an address that begins with https:// or http://.',
  );

/** The setting `sso`: one provider by its addresses, and what its profiles call things. What is left out has a default. */
export const ssoSettingSchema = z.looseObject({
  enabled: z.boolean('Must be true or false.').default(false),
  displayName: named('SSO').default('SSO'),
  clientId: text().default(''),
  /** Sealed where it is stored; null takes it away. */
  clientSecret: z.string('Must be a text.').max(4000, 'This value is too long.').nullable().default(''),
  authUrl: address().default(''),
  tokenUrl: address().default(''),
  userInfoUrl: address().default(''),
  scopes: z
    .array(text().regex(/^[^\s"\\]+$/, 'A scope has no blanks.'), 'Must be a list.')
    .max(50, 'Maximum number of items exceeded!')
    .default(['openid', 'email', 'profile']),
  mappedFields: z
    .object({
      id: named('sub').default('sub'),
      username: named('preferred_username').default('preferred_username'),
      fullName: named('name').default('name'),
      email: named('email').default('email'),
      avatar: named('picture').default('picture'),
    })
    .prefault({}),
  /** What profiles call the list of a person's groups; empty where they say nothing of groups. */
  groupsClaim: text().default(''),
  pkce: z.boolean('Must be true or false.').default(true),
  /** Whether an address counts as checked where the provider does not say so. */
  trustEmail: z.boolean('Must be true or false.').default(false),
});
export type SsoSetting = z.output<typeof ssoSettingSchema>;

/** What a provider that people sign in through can't be without. */
export const SSO_NEEDED = ['clientId', 'authUrl', 'tokenUrl', 'userInfoUrl'] as const;

/** Problems of a value for the setting, by field. */
export function checkSsoSetting(value: unknown): FieldProblems {
  const parsed = ssoSettingSchema.safeParse(value);
  if (!parsed.success) {
    const { whole, fields } = problemsOf(parsed.error);
    return whole ? { enabled: whole, ...fields } : fields;
  }
  if (!parsed.data.enabled) return {};
  return Object.fromEntries(SSO_NEEDED.filter((name) => parsed.data[name] === '').map((name) => [name, BLANK]));
}
