import { z } from 'zod';

const address = z.string().trim();

/** The form of single sign-on. What must not be missing or wrong the server says, which also knows what is switched on. */
export const ssoFormSchema = z.object({
  enabled: z.boolean(),
  displayName: z.string().trim(),
  clientId: z.string().trim(),
  clientSecret: z.string(),
  removeSecret: z.boolean(),
  authUrl: address,
  tokenUrl: address,
  userInfoUrl: address,
  scopes: z.string(),
  pkce: z.boolean(),
  trustEmail: z.boolean(),
  groupsClaim: z.string().trim(),
  mappedFields: z.object({
    id: z.string().trim(),
    username: z.string().trim(),
    fullName: z.string().trim(),
    email: z.string().trim(),
    avatar: z.string().trim(),
  }),
});
export type SsoValues = z.infer<typeof ssoFormSchema>;

export const MAPPED_FIELDS = ['id', 'username', 'fullName', 'email', 'avatar'] as const;

const empty: SsoValues = {
  enabled: false,
  displayName: 'SSO',
  clientId: '',
  clientSecret: '',
  removeSecret: false,
  authUrl: '',
  tokenUrl: '',
  userInfoUrl: '',
  scopes: 'openid email profile',
  pkce: true,
  trustEmail: false,
  groupsClaim: '',
  mappedFields: { id: 'sub', username: 'preferred_username', fullName: 'name', email: 'email', avatar: 'picture' },
};

/** The form of a stored setting; whatever it does not say has its default. */
export function toForm(stored: unknown): SsoValues {
  const given = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  const { scopes, mappedFields } = given;
  const merged = {
    ...empty,
    ...given,
    clientSecret: '',
    removeSecret: false,
    scopes: Array.isArray(scopes) ? scopes.join(' ') : empty.scopes,
    mappedFields: { ...empty.mappedFields, ...(typeof mappedFields === 'object' ? mappedFields : {}) },
  };
  const parsed = ssoFormSchema.safeParse(merged);
  return parsed.success ? parsed.data : empty;
}

/** The setting as the API takes it: an empty secret keeps the stored one, null takes it away. */
export function toSetting({ removeSecret, clientSecret, scopes, ...values }: SsoValues): Record<string, unknown> {
  return {
    ...values,
    clientSecret: removeSecret && clientSecret === '' ? null : clientSecret,
    scopes: scopes.split(/[\s,]+/).filter(Boolean),
  };
}
