import type { IncomingMessage } from 'node:http';

const LIMIT_MS = 600_000;

/** Ends a request to the console itself whose body takes longer than anything that it is asked. */
export function limitBody(request: IncomingMessage): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return;
  const timer = setTimeout(() => request.destroy(), LIMIT_MS).unref();
  request.once('close', () => clearTimeout(timer));
}
