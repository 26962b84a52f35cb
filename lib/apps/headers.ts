/** Headers as they came: name, value, name, value. Their order and their repetitions stay. */
export type RawHeaders = readonly string[];

/** Of one connection alone (RFC 9110, 7.6.1), beside those that `Connection` names. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** What only whoever stands before the workspace may say. Read with `_` as `-`: many servers can't tell them apart. */
const SAID_BY_PROXIES =
  /^(?:x-forwarded(?:-.*)?|forwarded|x-real-ip|via|(?:x-)?remote-(?:user|email|groups|name)|x-(?:auth-request|webauth|authentik|berth)-.*)$/;

/**
 * What an app may not tell the browser: these reach beyond its own origin. Clearing takes the console's cookies along where both
 * share a domain; another service, or pinned keys, would be believed without the console being asked.
 */
const BEYOND_ORIGIN = new Set(['clear-site-data', 'alt-svc', 'public-key-pins', 'public-key-pins-report-only']);

const DOMAIN_ATTRIBUTE = /^\s*domain\s*(?:=|$)/i;

export function* pairsOf(raw: RawHeaders): Generator<[lower: string, value: string, name: string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at]!.toLowerCase(), raw[at + 1]!, raw[at]!];
}

/** All values of a header. */
export function valuesOf(raw: RawHeaders, name: string): string[] {
  const values: string[] = [];
  for (const [lower, value] of pairsOf(raw)) if (lower === name) values.push(value);
  return values;
}

function hopsOf(raw: RawHeaders): Set<string> {
  const named = valuesOf(raw, 'connection').flatMap((value) => value.split(','));
  return new Set([...HOP_BY_HOP, ...named.map((name) => name.trim().toLowerCase())]);
}

export interface Passing {
  /** Names of cookies that are Berth's own. */
  ownCookies: ReadonlySet<string>;
  /** Said of the request to the workspace. */
  client: string;
  host: string;
  scheme: string;
  /** Empty for nobody. */
  username: string;
}

/**
 * What the workspace hears of a request: without what is of one connection, what a client says of itself and Berth's own
 * cookies, with what is so. `Host` is that of the address, so that apps which look at `Origin` agree with themselves.
 */
export function toApp(raw: RawHeaders, { ownCookies, client, host, scheme, username }: Passing): string[] {
  const hops = hopsOf(raw);
  const passed: string[] = ['Host', host];
  const cookies: string[] = [];
  for (const [lower, value, name] of pairsOf(raw)) {
    if (lower === 'cookie') cookies.push(value);
    else if (lower !== 'host' && !hops.has(lower) && !SAID_BY_PROXIES.test(lower.replaceAll('_', '-'))) {
      passed.push(name, value);
    }
  }
  const kept = withoutCookies(cookies, ownCookies);
  if (kept !== '') passed.push('Cookie', kept);
  passed.push('X-Forwarded-For', client, 'X-Forwarded-Host', host, 'X-Forwarded-Proto', scheme);
  if (username !== '') passed.push('X-Forwarded-User', username);
  return passed;
}

function withoutCookies(headers: readonly string[], own: ReadonlySet<string>): string {
  return headers
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !own.has(pair.split('=', 1)[0]!.trim()))
    .join('; ');
}

/** What the browser hears of an answer: without what is of one connection, and nothing that is for others than its origin. */
export function toBrowser(raw: RawHeaders, ownCookies: ReadonlySet<string>): string[] {
  const hops = hopsOf(raw);
  const passed: string[] = [];
  for (const [lower, value, name] of pairsOf(raw)) {
    if (hops.has(lower) || BEYOND_ORIGIN.has(lower)) continue;
    const said = lower === 'set-cookie' ? ownCookie(value, ownCookies) : value;
    if (said !== undefined) passed.push(name, said);
  }
  return passed;
}

/** A cookie for the very host that it is answered from; undefined for one of Berth's. */
function ownCookie(value: string, own: ReadonlySet<string>): string | undefined {
  const [pair = '', ...attributes] = value.split(';');
  if (own.has(pair.split('=', 1)[0]!.trim())) return undefined;
  return [pair, ...attributes.filter((attribute) => !DOMAIN_ATTRIBUTE.test(attribute))].join(';');
}
