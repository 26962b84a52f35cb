import 'server-only';
import { forwardAuthSetting } from '@/lib/settings/forward-auth';
import type { AskedAddress } from './asked-address';

/** A browser sends as many of one name as paths and neighbour domains have set. */
const MOST = 5;
const PREFIX = /^__(?:Host|Secure)-/;

/** How the cookies of an address are called, and whether they are for https alone. */
export function cookiesOf({ scheme }: Pick<AskedAddress, 'scheme'>): { auth: string; csrf: string; isSecure: boolean } {
  const { authCookie, csrfCookie, insecureCookies } = forwardAuthSetting();
  const isSecure = scheme === 'https' && !insecureCookies;
  const nameOf = (name: string): string => (isSecure ? name : name.replace(PREFIX, ''));
  return { auth: nameOf(authCookie), csrf: nameOf(csrfCookie), isSecure };
}

/** The values of a cookie in a Cookie header. */
export function cookieValues(header: string, name: string): string[] {
  const start = `${name}=`;
  const found = header.split(';').map((pair) => pair.trim());
  return found.flatMap((pair) => (pair.startsWith(start) ? [pair.slice(start.length)] : [])).slice(0, MOST);
}

/** A Set-Cookie value for the very host that it is answered to; an age of 0 forgets the cookie. */
export function hostCookie(
  name: string,
  value: string,
  { ageSeconds, isSecure }: { ageSeconds: number; isSecure: boolean },
): string {
  return `${name}=${value}; Path=/; Max-Age=${ageSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
