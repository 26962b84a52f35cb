import PocketBase, { type RecordModel } from 'pocketbase';

let client: PocketBase | undefined;
let opening: Promise<void> | undefined;
let onExpired: (() => void) | undefined;
let onLimited: ((message: string) => void) | undefined;
let isRenewing = false;
let checkedMs = 0;

const CHECK_PAUSE_MS = 10_000;
const CALL_TIMEOUT_MS = 20_000;

/** The record API's client of this tab. Its token lies in local storage, shared with the other tabs. */
export function api(): PocketBase {
  if (typeof window === 'undefined') return new PocketBase('/');
  if (!client) {
    client = new PocketBase(window.location.origin);
    client.autoCancellation(false);
    const own = client;
    own.beforeSend = (url, options) => {
      // An upload takes as long as its line.
      if (!(options.body instanceof FormData)) options.signal ??= AbortSignal.timeout(CALL_TIMEOUT_MS);
      return { url, options };
    };
    own.afterSend = (response: Response, data: unknown) => {
      if (response.status === 401 && own.authStore.token && !isRenewing) onExpired?.();
      if (response.status === 429) onLimited?.(sentenceOf(data));
      return data;
    };
  }
  return client;
}

/** Names who is told, once, when the server no longer takes our token. */
export function onSessionExpired(listener: (() => void) | undefined): void {
  onExpired = listener;
}

/** Names who is told when the server has had too many calls. */
export function onLimitExceeded(listener: ((message: string) => void) | undefined): void {
  onLimited = listener;
}

function sentenceOf(answer: unknown): string {
  const isNamed = typeof answer === 'object' && answer !== null && 'message' in answer;
  return isNamed && typeof answer.message === 'string' ? answer.message : '';
}

/** What the server answers once someone has logged in. */
export interface AuthAnswer {
  token: string;
  record: RecordModel;
}

/** Makes sure that the client holds a token of the viewer; the page's session is asked for one where it does not. */
export function openSession(viewerId: string): Promise<void> {
  opening ??= (async () => {
    const { authStore } = api();
    if (authStore.isValid && authStore.model?.id === viewerId) return;
    authStore.clear();
    const answer = await api().send<AuthAnswer>('/api/session/token', { method: 'POST', body: {} });
    authStore.save(answer.token, answer.record);
  })().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** Waits for the token that every call needs. */
export async function ready(): Promise<PocketBase> {
  await opening;
  return api();
}

/**
 * Renews the saved log-in, at most every ten seconds unless another pause is named. A log-in that has ended elsewhere is told by this: other calls answer
 * it like a guest's, with empty lists.
 */
export async function checkSession({ pauseMs = CHECK_PAUSE_MS } = {}): Promise<void> {
  if (isRenewing || Date.now() - checkedMs < pauseMs) return;
  checkedMs = Date.now();
  const client = await ready();
  if (!client.authStore.token) return;
  await client
    .collection('users')
    .authRefresh()
    .catch(() => undefined);
}

/** Signs the browser's pages in with the token that the client got from a log-in or from set-up; keeps the session's own. */
export async function startSession(): Promise<void> {
  const { token, record } = await api().send<AuthAnswer>('/api/session', { method: 'POST', body: {} });
  api().authStore.save(token, record);
}

/** Takes over a log-in that ended in a call of ours, as `startSession` does one of the client's own calls. */
export function keepSignIn({ token, record }: AuthAnswer): Promise<void> {
  api().authStore.save(token, record);
  return startSession();
}

interface PasswordChange {
  oldPassword: string;
  password: string;
  passwordConfirm: string;
  identity: string;
  /** Goes on with a log-in that the password alone does not finish; rejects where it can't. */
  finishSignIn: (refusal: unknown) => Promise<void>;
}

/**
 * Changes the viewer's password, which ends every log-in of the account, and logs this tab in again. Rejects when the
 * change is refused; resolves with false when it was made and the new log-in was not.
 */
export async function changePassword(userId: string, body: PasswordChange): Promise<boolean> {
  const { identity, finishSignIn, ...passwords } = body;
  const client = await ready();
  isRenewing = true;
  try {
    await client.collection('users').update(userId, passwords);
    // What else the page asks for meanwhile waits for the new token.
    const renewal = client
      .collection('users')
      .authWithPassword(identity, passwords.password)
      .then(() => startSession(), finishSignIn);
    opening = renewal.catch(() => undefined);
    return await renewal.then(
      () => true,
      () => false,
    );
  } finally {
    isRenewing = false;
  }
}

/** Ends the page's session and forgets the saved log-in. */
export async function endSession(): Promise<void> {
  opening = undefined;
  try {
    await api().send('/api/session', { method: 'DELETE' });
  } finally {
    api().authStore.clear();
  }
}
