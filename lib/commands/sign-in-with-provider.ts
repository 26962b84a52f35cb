import 'server-only';
import { randomBytes } from 'node:crypto';
import { accountById, anyAccountByEmail, anyAccountById, type Account } from '@/lib/auth/accounts';
import { endSessionsOf } from '@/lib/auth/sessions';
import { users } from '@/lib/collections/users';
import { AppError, type FieldProblem } from '@/lib/errors';
import { newSecret } from '@/lib/ids';
import { hashPassword } from '@/lib/passwords';
import { system } from '@/lib/policies/actor';
import { isEmail } from '@/lib/records/fields/email';
import { BLANK } from '@/lib/records/fields/field';
import { StoreReader, write, type WriteTransaction } from '@/lib/records/transaction';
import { createRecord } from '@/lib/records/writer';
import { readOAuthProfile, type OAuthProfile, type OAuthProvider } from '@/lib/remote/oauth';
import { refuse, textsOf } from './account-forms';
import { externalAuths } from './external-auths';
import { isSsoOff, ssoProvider } from './sso-provider';

type Body = Readonly<Record<string, unknown>>;

export interface ProviderSignIn {
  account: Account;
  meta: OAuthProfile & { isNew: boolean };
}

/** What someone may say of themselves when a provider brings them here for the first time. */
const CREATE_DATA = ['username', 'name', 'emailVisibility', 'language'] as const;

/**
 * Signs in with a provider's code: by a link, by the account that is signed in, by the same verified address, or with a new
 * account. Throws AppError `invalid`, with fields where the form is wrong.
 */
export async function signInWithProvider(body: Body, signedInId: string): Promise<ProviderSignIn> {
  if (isSsoOff()) throw new AppError('invalid', 'The collection is not configured to allow OAuth2 authentication.');
  const { provider, profile } = await readProfile(body);
  const found = findAccount(profile, { provider, signedInId });
  if (found && !found.enabled) throw new AppError('invalid', 'Failed to authenticate.');
  const account = found
    ? await link(found, { provider, profile, signedInId })
    : await createAccount(profile, { provider, createData: createDataOf(body) });
  return { account, meta: { ...profile, isNew: !found } };
}

async function readProfile(body: Body): Promise<{ provider: OAuthProvider; profile: OAuthProfile }> {
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
    return {
      provider: provider!,
      profile: await readOAuthProfile(provider!, { code, codeVerifier, redirectUrl: form[redirect] }),
    };
  } catch (cause) {
    throw new AppError('invalid', 'Failed to authenticate.', { cause });
  }
}

interface Scope {
  provider: OAuthProvider;
  signedInId: string;
}

function findAccount(profile: OAuthProfile, { provider, signedInId }: Scope): Account | undefined {
  const [linked] = new StoreReader().find(externalAuths, { provider: provider.name, providerId: profile.id });
  if (linked) return anyAccountById(linked.recordId);
  return accountById(signedInId) ?? anyAccountByEmail(profile.email);
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
  const passwordHash = isSuspect ? await randomPasswordHash() : undefined;
  await write((tx) => {
    if (isSuspect) dropOtherLinks(tx, account.id, provider.name);
    addLink(tx, account.id, { provider, profile });
    const isVouched = profile.email !== '' && (account.email === '' || account.email === profile.email);
    const isFree = account.email !== '' || tx.findAnyCase(users, 'email', profile.email).length === 0;
    const becomesVerified = isVouched && isFree && !account.verified;
    if (!isSuspect && !becomesVerified) return;
    tx.patch(users, account.id, {
      ...(isSuspect && { passwordHash, tokenKey: newSecret(50) }),
      ...(becomesVerified && { email: profile.email, verified: true }),
    });
    if (isSuspect) endSessionsOf(account.id);
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
  if (own) throw new AppError('invalid', 'Failed to authenticate.');
  tx.insert(externalAuths, { recordId, provider: provider.name, providerId: profile.id });
}

async function createAccount(
  profile: OAuthProfile,
  { provider, createData }: { provider: OAuthProvider; createData: Body },
): Promise<Account> {
  const password = `Aa1!${randomBytes(24).toString('base64url')}`;
  const body = {
    name: profile.name,
    ...createData,
    username: freeUsername(createData.username ?? profile.username),
    email: isEmail(profile.email) ? profile.email : '',
    verified: profile.email !== '',
    password,
    passwordConfirm: password,
  };
  const { id } = (await createRecord(users, system, { body })) as { id: string };
  await write((tx) => addLink(tx, id, { provider, profile }));
  return accountById(id)!;
}

/** The wished name where it is one and free; otherwise one is made up. */
function freeUsername(wished: unknown): string {
  if (typeof wished !== 'string' || !/^\w[\w.-]{2,99}$/.test(wished)) return '';
  return new StoreReader().findAnyCase(users, 'username', wished).length === 0 ? wished : '';
}

function createDataOf({ createData }: Body): Body {
  if (typeof createData !== 'object' || createData === null) return {};
  const given = createData as Record<string, unknown>;
  return Object.fromEntries(CREATE_DATA.filter((key) => Object.hasOwn(given, key)).map((key) => [key, given[key]]));
}

function randomPasswordHash(): Promise<string> {
  return hashPassword(randomBytes(32).toString('base64url'));
}
