import 'server-only';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { accountById, type Account } from '@/lib/auth/accounts';
import { passkeyStore, type Passkey } from '@/lib/auth/passkey-store';
import { shortLived } from '@/lib/auth/short-lived';
import { wireNow } from '@/lib/clock';
import { limits } from '@/lib/vocabulary/limits';
import { env } from '@/lib/env';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { write } from '@/lib/records/transaction';
import { noteAdded, noteRemoved, type FactorChange, type passkeySchema } from './second-factor';

const CHALLENGE_MS = 5 * 60_000;

/** Challenges that were given out: each is answered once, and by whom and for what it was asked. */
const registrations = () => shortLived<string>('passkey-registrations', { lifeMs: CHALLENGE_MS, max: 10_000 });
const signIns = () => shortLived<true>('passkey-sign-ins', { lifeMs: CHALLENGE_MS, max: 10_000 });

const nameSchema = z
  .string()
  .trim()
  .min(1, 'Cannot be blank.')
  .max(limits.nameLength, `Must be less than ${limits.nameLength} character(s).`);
/** What a browser answers is checked by the library; here it only has to be of that kind. */
const credentialSchema = z.looseObject({
  id: z.string(),
  response: z.looseObject({ clientDataJSON: z.string() }),
});
export const newPasskeySchema = z.strictObject({ name: nameSchema, response: credentialSchema });
export const passkeyNameSchema = z.strictObject({ name: nameSchema });
export const passkeySignInSchema = z.strictObject({ response: credentialSchema });
type Credential = z.infer<typeof credentialSchema>;

/** Where people reach the console: passkeys work there only. */
function relyingParty(): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(env().publicUrl);
  return { rpID: hostname, origin };
}

/** The challenge that a browser says it answers; the library proves that it does. */
function challengeOf({ response }: Credential): string {
  try {
    const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof data.challenge === 'string' ? data.challenge : '';
  } catch {
    return '';
  }
}

function userHandleOf(accountId: string): string {
  return Buffer.from(accountId).toString('base64url');
}

/** What the browser needs to make a passkey. Throws AppError `invalid` when there are too many. */
export async function startPasskey({ account }: FactorChange) {
  const held = passkeyStore.listOf(account.id);
  if (held.length >= limits.passkeysPerAccount) {
    throw new AppError('invalid', `You can have ${limits.passkeysPerAccount} passkeys. Remove one first.`);
  }
  const options = await generateRegistrationOptions({
    rpName: 'Berth',
    rpID: relyingParty().rpID,
    userID: new Uint8Array(Buffer.from(account.id)),
    userName: account.username,
    userDisplayName: account.name || account.username,
    timeout: CHALLENGE_MS,
    excludeCredentials: held.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  registrations().put(options.challenge, account.id);
  return options;
}

type PasskeyEntry = z.output<typeof passkeySchema>;

/**
 * Keeps a passkey that the browser has made. Answers recovery codes where it is the account's first factor. Throws AppError
 * `invalid` when it does not answer a challenge of ours to that account.
 */
export async function addPasskey(
  change: FactorChange,
  { name, response }: z.infer<typeof newPasskeySchema>,
): Promise<{ record: PasskeyEntry; recoveryCodes: string[] }> {
  const userId = change.account.id;
  const credential = await verifyNew(userId, response);
  const record = { id: newId(), name, created: wireNow(), isBackedUp: credential.isBackedUp };
  const recoveryCodes = await write((tx) => {
    if (passkeyStore.byCredential(credential.credentialId)) throw unverified();
    passkeyStore.insert(tx, { ...record, ...credential, userId });
    return noteAdded(tx, change);
  });
  return { record: { ...record, lastUsed: '' }, recoveryCodes };
}

type Verified = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'>;

async function verifyNew(userId: string, response: Credential): Promise<Verified> {
  const expectedChallenge = challengeOf(response);
  if (registrations().take(expectedChallenge) !== userId) throw unverified();
  const { rpID, origin } = relyingParty();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    if (!registrationInfo) throw new Error('The attestation does not verify');
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).slice(0, 10).map((each) => String(each).slice(0, 50)),
      isBackedUp: credentialBackedUp,
    };
  } catch (cause) {
    throw unverified(cause);
  }
}

function unverified(cause?: unknown): AppError {
  const message = 'The passkey could not be verified. Please try again.';
  const fields = { response: { code: 'validation_invalid_passkey', message } };
  return new AppError('invalid', message, { fields, cause });
}

/** Renames a passkey of the account. Throws AppError `not_found` where it has no such one. */
export async function renamePasskey(userId: string, { id, name }: { id: string; name: string }): Promise<PasskeyEntry> {
  const isRenamed = await write((tx) => passkeyStore.rename(tx, userId, { id, name, at: wireNow() }));
  const passkey = isRenamed ? passkeyStore.listOf(userId).find((each) => each.id === id) : undefined;
  if (!passkey) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  const { created, lastUsed, isBackedUp } = passkey;
  return { id, name, created, lastUsed, isBackedUp };
}

/** Removes a passkey of the account. Throws AppError `not_found` where it has no such one. */
export async function removePasskey(change: FactorChange, id: string): Promise<void> {
  await write((tx) => {
    if (!passkeyStore.remove(tx, change.account.id, id)) throw new AppError('not_found', NOT_FOUND_MESSAGE);
    noteRemoved(tx, change);
  });
}

/** What the browser needs to sign in with whichever passkey it holds for us: no name is asked for. */
export async function startPasskeySignIn() {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().rpID,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
  signIns().put(options.challenge, true);
  return options;
}

/** The account that a passkey opens: it is two factors by itself. Throws AppError `invalid`, the same for whatever is wrong. */
export async function signInWithPasskey({ response }: z.infer<typeof passkeySignInSchema>): Promise<Account> {
  const expectedChallenge = challengeOf(response);
  const isOurs = signIns().take(expectedChallenge) === true;
  const passkey = passkeyStore.byCredential(response.id);
  const account = passkey && accountById(passkey.userId);
  if (!isOurs || !account || response.response.userHandle !== userHandleOf(account.id)) throw failed();
  const use = await verifyUse(passkey, { response, expectedChallenge });
  const isMoved = await write((tx) => passkeyStore.use(tx, { id: passkey.id, ...use, at: wireNow() }));
  if (!isMoved) throw failed();
  return account;
}

async function verifyUse(
  { credentialId, publicKey, counter }: Passkey,
  { response, expectedChallenge }: { response: Credential; expectedChallenge: string },
): Promise<{ counter: number; isBackedUp: boolean }> {
  const { rpID, origin } = relyingParty();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification: true,
    });
    if (!verified) throw new Error('The signature does not verify');
    return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp };
  } catch (cause) {
    throw failed(cause);
  }
}

function failed(cause?: unknown): AppError {
  return new AppError('invalid', 'Failed to authenticate.', { cause });
}
