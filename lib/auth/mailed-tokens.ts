import 'server-only';
import { limits } from '@/lib/vocabulary/limits';
import { nowMs } from '@/lib/clock';
import { singleton } from '@/lib/singleton';
import { accountById, type Account } from './accounts';
import { isTokenOf, readClaims, type TokenClaims, type TokenPurpose } from './tokens';

const MAX_REMEMBERED = 10_000;

export interface MailedToken {
  account: Account;
  claims: TokenClaims;
}

/** The account and claims behind a token that travelled by mail; undefined when it is no such token, or no longer. */
export function readMailedToken(token: string, purpose: TokenPurpose): MailedToken | undefined {
  const claims = readClaims(token);
  const account = claims && accountById(claims.id);
  if (!claims || !account || !isTokenOf(token, account.tokenKey, purpose)) return undefined;
  return { account, claims };
}

const lastMails = singleton('last-account-mails', () => new Map<string, number>());

/** Whether a mail of this kind may go to the account now; if so, the next one has to wait. */
export function takeMailTurn(kind: TokenPurpose, accountId: string): boolean {
  const key = `${kind}/${accountId}`;
  const pauseMs = limits.mailPauseSeconds * 1000;
  const last = lastMails.get(key);
  if (last !== undefined && nowMs() - last < pauseMs) return false;
  lastMails.delete(key);
  if (lastMails.size >= MAX_REMEMBERED) lastMails.delete(lastMails.keys().next().value!);
  lastMails.set(key, nowMs());
  return true;
}
