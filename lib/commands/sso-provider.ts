import 'server-only';
import { z } from 'zod';
import { settings } from '@/lib/collections/settings';
import { StoreReader } from '@/lib/records/transaction';
import type { OAuthProvider } from '@/lib/remote/oauth';
import { open } from '@/lib/secrets';

export const SSO_PROVIDER = 'oidc';

const webAddress = z.url({ protocol: /^https?$/ });
const named = (name: string) => z.string().min(1).default(name);

/** The setting `sso`: one provider by its addresses, and what its profiles call things. */
const ssoSchema = z.object({
  enabled: z.literal(true),
  clientId: z.string().min(1),
  clientSecret: z.string().default(''),
  authUrl: webAddress,
  tokenUrl: webAddress,
  userInfoUrl: webAddress,
  displayName: named('SSO'),
  scopes: z.array(z.string()).default(['openid', 'email', 'profile']),
  mappedFields: z
    .object({
      id: named('sub'),
      username: named('preferred_username'),
      fullName: named('name'),
      email: named('email'),
      avatar: named('picture'),
    })
    .prefault({}),
});

function storedSso(): unknown {
  return new StoreReader().find(settings, { key: 'sso' }, { limit: 1 })[0]?.value;
}

/** Whether an admin switched signing in through a provider off. */
export function isSsoOff(): boolean {
  const value = storedSso();
  return typeof value === 'object' && value !== null && 'enabled' in value && value.enabled === false;
}

/** The provider that people may sign in through; undefined while none is enabled and complete. */
export function ssoProvider(): OAuthProvider | undefined {
  const parsed = ssoSchema.safeParse(storedSso());
  if (!parsed.success) return undefined;
  const { mappedFields, clientSecret, enabled: _enabled, ...sso } = parsed.data;
  const { fullName, ...fields } = mappedFields;
  return { ...sso, name: SSO_PROVIDER, clientSecret: open(clientSecret), fields: { ...fields, name: fullName } };
}
