import 'server-only';
import { env } from '@/lib/env';
import type { KernelResponse, RequestContext } from '@/lib/http/context';
import { newSecret } from '@/lib/ids';
import { paths } from '@/lib/paths';
import { forwardAuthSetting } from '@/lib/settings/forward-auth';
import { giveAccess, usernameOf } from './access';
import { addressIndex, type KnownAddress } from './address-index';
import { isPageOpened, readAskedAddress, type AskedAddress } from './asked-address';
import { cookiesOf, cookieValues, hostCookie } from './cookies';
import { beginLogin, readReturn, STATE_SECONDS, takeApproval } from './log-ins';
import { asksConsole, usableAccount } from './may-open';
import { NO_STORE, refusal } from './refusal';
import { readReturnAddress, type ReturnParts } from './return-address';
import { isSameText } from './signed';

const CSRF_LENGTH = 43;
const CSRF_TOKEN = /^[A-Za-z0-9]{43}$/;

/** A request to a known address that asks the console who comes. */
export interface Visit {
  asked: AskedAddress;
  address: KnownAddress;
  cookieHeader: string;
  cookies: ReturnType<typeof cookiesOf>;
  /** Whether someone looks at the answer. */
  isPage: boolean;
}

/**
 * What a proxy is told of a request: 200 with X-Forwarded-User lets it through, everything else is passed on to the browser.
 * Nothing is written for it, and what it costs is a look at what is kept in memory.
 */
export function answerProxy(context: RequestContext): KernelResponse {
  const asked = readAskedAddress(context);
  const isPage = asked !== undefined && isPageOpened(context, asked);
  if (!asked) {
    return refusal({ status: 400, message: 'The proxy named no address that the console could look up.', isPage });
  }
  if (!asked.isAtProxy) {
    return refusal({ status: 403, message: 'No addresses are served at this port. An admin can name it.', isPage });
  }
  if (asked.host === new URL(env().publicUrl).hostname) {
    return refusal({ status: 403, message: 'This is the address of the console itself.', isPage });
  }
  const address = addressIndex().find(asked.key);
  if (!address) return refusal({ status: 404, message: 'No workspace has this address.', isPage });
  if (!asksConsole(address)) {
    return refusal({ status: 403, message: 'This address does not ask the console who comes.', isPage });
  }
  return answerVisit({ asked, address, cookieHeader: context.header('cookie'), cookies: cookiesOf(asked), isPage });
}

/** What a request to a known address is answered with: 200 lets it through, with who comes as X-Forwarded-User. */
export function answerVisit(visit: Visit): KernelResponse {
  const { asked, address, cookieHeader, cookies } = visit;
  const username = findUsername(cookieValues(cookieHeader, cookies.auth), address);
  const back = readReturnAddress(asked.uri);
  const code = back && readReturn(back.state, address.key);
  if (back && code !== undefined && asked.method === 'GET') {
    return username === undefined ? finishLogin(visit, back, code) : goTo(`${asked.origin}${back.uri}`);
  }
  if (username !== undefined) return { status: 200, headers: { ...NO_STORE, 'x-forwarded-user': username } };
  if (back) return unfinished(visit, back);
  if (!visit.isPage) return refusal({ status: 401, message: 'Log in first.', isPage: false });
  // With a closing dot its cookies would be another host's.
  return asked.isCanonical ? sendToLogin(visit) : goTo(`${asked.origin}${asked.uri}`);
}

/** Who the first of the cookies that opens the address belongs to. */
export function findUsername(cookies: readonly string[], address: KnownAddress): string | undefined {
  for (const cookie of cookies) {
    const username = usernameOf(cookie, address);
    if (username !== undefined) return username;
  }
  return undefined;
}

function sendToLogin({ asked, cookieHeader, cookies }: Visit): KernelResponse {
  // Tabs that are opened at once share one token, or each would undo what the one before began.
  const kept = cookieValues(cookieHeader, cookies.csrf).find((value) => CSRF_TOKEN.test(value));
  const csrfToken = kept ?? newSecret(CSRF_LENGTH);
  const target = `${env().publicUrl}${paths.verify({ state: beginLogin(asked, csrfToken), csrfToken })}`;
  return goTo(target, [hostCookie(cookies.csrf, csrfToken, { ageSeconds: STATE_SECONDS, isSecure: cookies.isSecure })]);
}

/** The browser is back from the console: what it brings counts once, and in the browser alone that was sent there. */
function finishLogin(visit: Visit, back: ReturnParts, code: string): KernelResponse {
  const { address, cookieHeader, cookies } = visit;
  const isOwn = cookieValues(cookieHeader, cookies.csrf).some((value) => isSameText(value, back.csrfToken));
  const approval = isOwn ? takeApproval(code, address.key, back.csrfToken) : undefined;
  const account = approval && usableAccount(approval.user);
  const access = account && giveAccess(account, address, approval.login);
  if (!access) return unfinished(visit, back);
  const { isSecure } = cookies;
  return goTo(approval.address, [
    hostCookie(cookies.auth, access, { ageSeconds: forwardAuthSetting().lifetime, isSecure }),
    hostCookie(cookies.csrf, '', { ageSeconds: 0, isSecure }),
  ]);
}

/** Not sent to log in again by itself: a browser that keeps no cookies would go round in circles. */
function unfinished({ isPage }: Visit, { uri }: ReturnParts): KernelResponse {
  const message = 'This log-in could not be finished. It may be too old, or begun in another browser.';
  return refusal({ status: 403, message, isPage, again: uri });
}

function goTo(location: string, cookies: string[] = []): KernelResponse {
  return { status: 307, headers: { ...NO_STORE, location, 'set-cookie': cookies } };
}
