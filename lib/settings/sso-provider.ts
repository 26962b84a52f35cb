import 'server-only';
import { settings } from './collection';
import { SSO_KEY, SSO_NEEDED, ssoSettingSchema, type SsoSetting } from './sso-setting';
import { StoreReader } from '@/lib/records/transaction';
import type { OAuthProvider } from '@/lib/remote/oauth';
import { open } from '@/lib/secrets';

export const SSO_PROVIDER = 'oidc';

function storedSso(): SsoSetting | undefined {
  const value = new StoreReader().find(settings, { key: SSO_KEY }, { limit: 1 })[0]?.value;
  const parsed = ssoSettingSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** Whether an admin switched signing in through a provider off. */
export function isSsoOff(): boolean {
  return storedSso()?.enabled === false;
}

/** The provider that people may sign in through; undefined while none is enabled and complete. */
export function ssoProvider(): OAuthProvider | undefined {
  const sso = storedSso();
  if (!sso?.enabled || SSO_NEEDED.some((name) => sso[name] === '')) return undefined;
  return providerOf(sso);
}

/** Whether a client secret is stored; what it is never leaves. */
export function hasSsoSecret(): boolean {
  return Boolean(storedSso()?.clientSecret);
}

/** Whether the draft's empty secret stands for the stored one; that goes to the address that it is stored for alone. */
export function isSecretMissing({ clientSecret, tokenUrl }: SsoSetting): boolean {
  const stored = storedSso();
  return clientSecret === '' && Boolean(stored?.clientSecret) && stored?.tokenUrl !== tokenUrl;
}

/** The provider that a form describes, saved or not; an empty secret stands for the stored one. */
export function draftedProvider(draft: SsoSetting): OAuthProvider {
  const isKept = draft.clientSecret === '' && !isSecretMissing(draft);
  return providerOf({ ...draft, clientSecret: isKept ? (storedSso()?.clientSecret ?? '') : draft.clientSecret });
}

function providerOf(sso: SsoSetting): OAuthProvider {
  const { fullName, ...fields } = sso.mappedFields;
  const { displayName, clientId, authUrl, tokenUrl, userInfoUrl, scopes, pkce } = sso;
  return {
    name: SSO_PROVIDER,
    displayName,
    clientId,
    clientSecret: open(sso.clientSecret ?? ''),
    authUrl,
    tokenUrl,
    userInfoUrl,
    scopes,
    usesPkce: pkce,
    trustsEmail: sso.trustEmail,
    fields: { ...fields, name: fullName },
    groupsClaim: sso.groupsClaim,
  };
}
