import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function errorBody(status: number): string {
  return JSON.stringify({ code: status, message: `${reasons[status]}.`, data: {} });
}

/** Answers bytes that are no request as every other error is answered, and hangs up. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // An answer that is under way would be garbled by another.
  const current = (socket as { _httpMessage?: ServerResponse })._httpMessage;
  if (!socket.writable || current?.headersSent || error.code === 'ECONNRESET') return void socket.destroy();
  const status = statusByCode[error.code ?? ''] ?? 400;
  const body = errorBody(status);
  const head = [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** `.` and `..` as parts of a path, however they are written. */
const DOT_SEGMENT = /(?:^|\/|%2f)(?:\.|%2e){1,2}(?:\/|%2f|$)/i;

/**
 * Whether a request's target is a path that reads the same to everyone: not another server, to which pages would redirect,
 * and without steps up or backslashes, which one door resolves and the other does not.
 */
export function isPlainTarget(target: string | undefined): target is string {
  if (!target?.startsWith('/')) return false;
  const path = target.split('?', 1)[0]!;
  return !path.includes('\\') && !/%5c/i.test(path) && !DOT_SEGMENT.test(path);
}

/** Refuses a request whose target is none of ours. */
export function refuseTarget(response: ServerResponse): void {
  const body = errorBody(400);
  response.writeHead(400, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}
