import 'server-only';
import type { IncomingMessage } from 'node:http';
import type { AskedAddress } from '@/lib/forward-auth/asked-address';
import { appKey, type AppHost, type AppName, appOrigin, type AppsPlace } from '@/lib/vocabulary/app-address';
import { valuesOf } from './headers';

/** A request for a port of a workspace. */
export interface AskedApp {
  app: AppName;
  asked: AskedAddress;
  /** As the browser writes it in `Host`. */
  host: string;
}

/** What browsers send: visible characters, and no fragment. */
const TARGET = /^\/[\x21\x22\x24-\x7e]*$/;

/** What is asked for by a request under the domain; undefined where it is no request for a port of a workspace. */
export function readAskedApp(
  request: IncomingMessage,
  { app, isCanonical }: AppHost,
  place: AppsPlace,
): AskedApp | undefined {
  const { rawHeaders, url: uri = '', method = 'GET' } = request;
  if (!app || !TARGET.test(uri) || valuesOf(rawHeaders, 'host').length !== 1) return undefined;
  const origin = appOrigin(place, app);
  const key = appKey(place, app);
  const host = key.slice(`${place.scheme}://`.length);
  const asked = { scheme: place.scheme, key, host, origin, uri, method, isCanonical, isAtProxy: true };
  return { app, asked, host: origin.slice(`${place.scheme}://`.length) };
}

/**
 * Whether a page of another origin sends the request, other than by leading the person here: pages of sibling workspaces are of
 * the same site, so browsers send them along with the cookies of this one.
 */
export function isForeign({ headers, method = 'GET' }: IncomingMessage, origin: string): boolean {
  if (headers.origin !== undefined && headers.origin !== origin) return true;
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  const isLed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !isLed || (method !== 'GET' && method !== 'HEAD');
}
