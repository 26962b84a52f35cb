import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { api, keepSignIn, ready, type AuthAnswer } from '@/components/data/client';
import { askForPasskey, makePasskey } from './passkey-ceremony';

/** What proves that it is still the owner who changes how an account is secured. */
export interface Proof {
  password?: string;
  code?: string;
}

/** A key that an authenticator app has not confirmed yet. */
export interface NewTotp {
  secret: string;
  uri: string;
}

/** A factor was added; who had to set it up to log in gets the log-in with it. */
export interface FactorAdded extends Partial<AuthAnswer> {
  /** Empty unless it is the first factor of the account. */
  recoveryCodes: string[];
}

/** The calls that set up a factor: of the viewer, or of whoever has to set one up before being logged in. */
export interface FactorCalls {
  startTotp: (proof: Proof) => Promise<NewTotp>;
  confirmTotp: (code: string) => Promise<FactorAdded>;
  addPasskey: (name: string, proof: Proof) => Promise<FactorAdded>;
}

export function factorCalls(enrolmentToken?: string): FactorCalls {
  const headers: Record<string, string> = enrolmentToken ? { Authorization: enrolmentToken } : {};
  const post = async <T>(path: string, body: object): Promise<T> =>
    (await ready()).send<T>(path, { method: 'POST', headers, body });
  return {
    startTotp: (proof) => post('/api/second-factor/totp', proof),
    confirmTotp: (code) => post('/api/second-factor/totp/confirm', { code }),
    async addPasskey(name, proof) {
      const options = await post<PublicKeyCredentialCreationOptionsJSON>('/api/passkeys/options', proof);
      return post('/api/passkeys', { name, response: await makePasskey(options) });
    },
  };
}

/** Finishes a log-in by its code and signs the pages in. The client's other calls wait meanwhile: this one does not. */
export async function finishByCode(pendingToken: string, code: string): Promise<void> {
  const body = { pendingToken, code };
  await keepSignIn(await api().send<AuthAnswer>('/api/second-factor/finish', { method: 'POST', body }));
}

/** Logs in by whichever passkey the browser offers. Throws PasskeyError where it offers none. */
export async function signInByPasskey(): Promise<void> {
  const base = '/api/passkeys/sign-in';
  const options = await api().send<PublicKeyCredentialRequestOptionsJSON>(`${base}/options`, { method: 'POST' });
  const body = { response: await askForPasskey(options) };
  await keepSignIn(await api().send<AuthAnswer>(base, { method: 'POST', body }));
}
