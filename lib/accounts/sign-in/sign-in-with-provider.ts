import 'server-only';
import { randomBytes } from 'node:crypto';
import { accountById, anyAccountByEmail, anyAccountById, type Account } from '@/lib/auth/accounts';
import { endSessionsOf } from '@/lib/auth/sessions';
import { users } from '../collection';
import { followClaim, namesOfClaim } from '@/lib/groups/follow-claim';
import { AppError, type FieldProblem } from '@/lib/errors';
import { refuse, textsOf } from '@/lib/http/form-body';
import { newSecret } from '@/lib/ids';
import { system } from '@/lib/policies/actor';
import { isEmail } from '@/lib/records/fields/email';
import { BLANK } from '@/lib/records/fields/field';
import { StoreReader, write, type WriteTransaction } from '@/lib/records/transaction';
import { createRecord } from '@/lib/records/writer';
import { readOAuthProfile, type OAuthIdentity, type OAuthProfile, type OAuthProvider } from '@/lib/remote/oauth';
import { OAuthError } from '@/lib/remote/oauth-error';
import { externalAuths, NO_PASSWORD } from '../external-auths';
import type { ProviderProfile } from '../auth-answer';
import { freeUsername } from '../free-username';
import { importAvatar } from '../import-avatar';
import { isSsoOff, ssoProvider } from '@/lib/settings/sso-provider';

type Body = Readonly<Record<string, unknown>>;

export interface ProviderSignIn {
  account: Account;
  meta: ProviderProfile;
}

/** What someone may say of themselves when a provider brings them here for the first time. */
const CREATE_DATA = ['username', 'name', 'emailVisibility', 'language'] as const;

/**
 * Signs in with a provider's code: by a link, by the account that is signed in, by the same vouched-for address, or with a new
 * account. With `linkOnly` it links the signed-in account or fails. Throws AppError `invalid`, with fields where the form is
 * wrong.
 */
export async function signInWithProvider(body: Body, signedInId: string): Promise<ProviderSignIn> {
  if (isSsoOff()) throw new AppError('invalid', 'The collection is not configured to allow OAuth2 authentication.');
  if (body.linkOnly === true && signedInId === '') throw new AppError('unauthenticated', 'Log in first.');
  const { provider, profile, unvouchedEmail } = await readProfile(body);
  const scope = { provider, signedInId };
  const found = findAccount(profile, scope);
  if (body.linkOnly === true && found?.id !== signedInId) throw taken(provider);
  if (found && !found.enabled) throw new AppError('invalid', 'Failed to authenticate.');
  if (!found) refuseUnvouched(unvouchedEmail, provider);
  const wasLinked = found !== undefined && linkOf(profile, provider) !== undefined;
  const account = found
    ? await link(found, { ...scope, profile })
    : await createAccount(profile, { provider, createData: createDataOf(body) });
  // Once: whoever takes their picture away later does not want it back with every sign-in.
  if (!wasLinked) await importAvatar(account.id, profile.avatarUrl, provider.userInfoUrl);
  await followGroups(account, profile, provider);
  return { account: accountById(account.id) ?? account, meta: { ...profile, isNew: !found } };
}

/** What the provider leaves out it takes back: a profile without the claim is one of nobody's group. */
async function followGroups({ id }: Account, { rawUser }: OAuthProfile, { groupsClaim }: OAuthProvider): Promise<void> {
  if (groupsClaim === '') return;
  await followClaim(id, namesOfClaim(Object.hasOwn(rawUser, groupsClaim) ? rawUser[groupsClaim] : []));
}

function taken({ displayName }: OAuthProvider): AppError {
  return new AppError('invalid', `This account of ${displayName} opens someone else's account here.`, {
    fields: { link: { code: 'validation_linked_elsewhere', message: 'Linked to another account.' } },
  });
}

/** Whoever can write any address into a profile must not get the account that has it here. */
function refuseUnvouched(email: string, { displayName }: OAuthProvider): void {
  if (email === '' || new StoreReader().findAnyCase(users, 'email', email).length === 0) return;
  const message = 'There is an account with this e-mail address.';
  throw new AppError(
    'invalid',
    `There is an account with your e-mail address, and ${displayName} does not vouch for the address. ` +
      `Log in with your password and link ${displayName} from your profile.`,
    { fields: { email: { code: 'validation_email_not_vouched', message } } },
  );
}

async function readProfile(body: Body): Promise<OAuthIdentity & { provider: OAuthProvider }> {
  const redirect = Object.hasOwn(body, 'redirectUrl') ? 'redirectUrl' : 'redirectURL';
  const form = textsOf(body, 'provider', 'code', 'codeVerifier', redirect);
  const provider = ssoProvider();
  const required = (text: string): FieldProblem | undefined => (text === '' ? BLANK : undefined);
  const unknown = { code: 'validation_invalid_provider', message: `"${form.provider}" is missing or is not enabled.` };
  refuse({
    provider: required(form.provider) ?? (provider?.name === form.provider ? undefined : unknown),
    code: required(form.code),
    redirectUrl: required(form[redirect]),
  });
  try {
    const { code, codeVerifier } = form;
    const exchange = { code, codeVerifier, redirectUrl: form[redirect] };
    return { provider: provider!, ...(await readOAuthProfile(provider!, exchange)) };
  } catch (cause) {
    const why = cause instanceof OAuthError ? ` ${cause.message}` : '';
    throw new AppError('invalid', `Failed to authenticate.${why}`, { cause });
  }
}

interface Scope {
  provider: OAuthProvider;
  signedInId: string;
}

function findAccount(profile: OAuthProfile, { provider, signedInId }: Scope): Account | undefined {
  const linked = linkOf(profile, provider);
  if (linked) return anyAccountById(linked.recordId);
  return accountById(signedInId) ?? anyAccountByEmail(profile.email);
}

function linkOf(profile: OAuthProfile, provider: OAuthProvider) {
  return new StoreReader().find(externalAuths, { provider: provider.name, providerId: profile.id })[0];
}

/**
 * Links the account and takes over what the provider vouches for. An unverified account with an address, reached through the
 * provider alone, may have been planted by someone else: its password, tokens and other links end.
 */
async function link(
  account: Account,
  { provider, profile, signedInId }: Scope & { profile: OAuthProfile },
): Promise<Account> {
  const isSuspect = !account.verified && account.email !== '' && account.id !== signedInId;
  await write((tx) => {
    if (isSuspect) dropOtherLinks(tx, account.id, provider.name);
    addLink(tx, account.id, { provider, profile });
    const isVouched = profile.email !== '' && (account.email === '' || account.email === profile.email);
    const isFree = account.email !== '' || tx.findAnyCase(users, 'email', profile.email).length === 0;
    const becomesVerified = isVouched && isFree && !account.verified;
    if (!isSuspect && !becomesVerified) return;
    tx.patch(users, account.id, {
      ...(isSuspect && { passwordHash: NO_PASSWORD, tokenKey: newSecret(50) }),
      ...(becomesVerified && { email: profile.email, verified: true }),
    });
    if (isSuspect) endSessionsOf(tx, account.id);
  });
  return accountById(account.id)!;
}

function dropOtherLinks(tx: WriteTransaction, recordId: string, provider: string): void {
  for (const other of tx.find(externalAuths, { recordId })) {
    if (other.provider !== provider) tx.remove(externalAuths, other.id);
  }
}

/** One link per account and provider; a provider's account links to one account only. */
function addLink(
  tx: WriteTransaction,
  recordId: string,
  { provider, profile }: { provider: OAuthProvider; profile: OAuthProfile },
): void {
  const [held] = tx.find(externalAuths, { provider: provider.name, providerId: profile.id });
  if (held) return;
  const [own] = tx.find(externalAuths, { recordId, provider: provider.name });
  if (own) {
    throw new AppError(
      'invalid',
      `Failed to authenticate. This account is linked to another account of ${provider.displayName}: unlink that first.`,
    );
  }
  tx.insert(externalAuths, { recordId, provider: provider.name, providerId: profile.id });
}

async function createAccount(
  profile: OAuthProfile,
  { provider, createData }: { provider: OAuthProvider; createData: Body },
): Promise<Account> {
  const password = `Aa1!${randomBytes(24).toString('base64url')}`;
  const localPart = profile.email.split('@')[0] ?? '';
  const body = {
    name: profile.name,
    ...createData,
    username: freeUsername(createData.username, profile.username, localPart),
    email: isEmail(profile.email) ? profile.email : '',
    verified: profile.email !== '',
    password,
    passwordConfirm: password,
  };
  const { id } = (await createRecord(users, system, { body })) as { id: string };
  await write((tx) => {
    addLink(tx, id, { provider, profile });
    tx.patch(users, id, { passwordHash: NO_PASSWORD });
  });
  return accountById(id)!;
}

function createDataOf({ createData }: Body): Body {
  if (typeof createData !== 'object' || createData === null) return {};
  const given = createData as Record<string, unknown>;
  return Object.fromEntries(CREATE_DATA.filter((key) => Object.hasOwn(given, key)).map((key) => [key, given[key]]));
}
