import 'server-only';
import { checkSsoSetting, ssoSettingSchema } from './sso-setting';
import { env } from '@/lib/env';
import { AppError, GENERIC_MESSAGE } from '@/lib/errors';
import { refuse, textsOf } from '@/lib/http/form-body';
import { paths } from '@/lib/paths';
import { checkProvider, type OAuthCheck } from '@/lib/remote/oauth-checks';
import { discoverProvider, type DiscoveredProvider } from '@/lib/remote/oauth-discovery';
import { OAuthError } from '@/lib/remote/oauth-error';
import { draftedProvider, isSecretMissing } from './sso-provider';

type Body = Readonly<Record<string, unknown>>;

/** Where the provider sends people back to, as an admin has to enter it there. */
export function ssoRedirectUrl(): string {
  return env().publicUrl + paths.loginCallback;
}

/** Tries the provider that a form describes, saved or not. Throws AppError `invalid` with the fields that are wrong. */
export function checkSso(body: Body): Promise<OAuthCheck[]> {
  const problems = checkSsoSetting({ ...body, enabled: true });
  if (Object.keys(problems).length > 0) throw new AppError('invalid', GENERIC_MESSAGE, { fields: problems });
  const draft = ssoSettingSchema.parse(body);
  const message = 'Enter the client secret again: the stored one is for another address.';
  refuse({ clientSecret: isSecretMissing(draft) ? { code: 'validation_required', message } : undefined });
  return checkProvider(draftedProvider(draft), ssoRedirectUrl());
}

/** The addresses of the provider at `issuer`. Throws AppError `invalid` about the issuer. */
export async function discoverSso(body: Body): Promise<DiscoveredProvider> {
  const { issuer } = textsOf(body, 'issuer');
  const isAddress = URL.canParse(issuer) && /^https?:$/.test(new URL(issuer).protocol);
  const message = 'Enter an address that begins with https:// or http://.';
  refuse({ issuer: isAddress ? undefined : { code: 'validation_is_url', message } });
  try {
    return await discoverProvider(issuer);
  } catch (error) {
    const { problem, detail } = error instanceof OAuthError ? error : { problem: 'answer', detail: '' };
    const what = problem === 'answer' ? 'That address names no provider' : 'The provider could not be reached';
    const found = { code: `validation_issuer_${problem}`, message: `${what}${detail === '' ? '' : ` (${detail})`}.` };
    throw new AppError('invalid', GENERIC_MESSAGE, { fields: { issuer: found }, cause: error });
  }
}
