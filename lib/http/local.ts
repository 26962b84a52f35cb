import 'server-only';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { singleton } from '@/lib/singleton';

/** Tells Next's door and the pages what the server knows of a request's way. */
export const LOCAL_HEADER = 'x-berth-local';
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** Nobody can guess it, so that a client's own header says nothing. */
export const localMark = (): string => singleton('local-mark', () => randomBytes(24).toString('base64url'));

function isLoopbackName(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}

/**
 * Whether a request comes from this machine itself and by no proxy, as far as can be seen: many that add no header speak
 * HTTP/1.0.
 */
export function isLocalRequest({ headers, socket, httpVersion }: IncomingMessage): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    isLoopbackName(headers.host ?? '') &&
    httpVersion === '1.1' &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}

/** Has the request carry what is known of its way; what it said itself is dropped. */
export function markLocal(request: IncomingMessage): void {
  if (isLocalRequest(request)) request.headers[LOCAL_HEADER] = localMark();
  else delete request.headers[LOCAL_HEADER];
}

/** Whether the header is the server's own word that the request is local. */
export function isMarkedLocal(header: string | null): boolean {
  return header === localMark();
}
