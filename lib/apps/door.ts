import 'server-only';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { KernelResponse } from '@/lib/http/context';
import { callerAddress } from '@/lib/http/node-door';
import { refuseUpgrade } from '@/lib/http/web-socket';
import { log } from '@/lib/log';
import { appsPlace } from '@/lib/settings/apps-place';
import { env } from '@/lib/env';
import { type AppHost, readAppHost } from '@/lib/vocabulary/app-address';
import { type AskedApp, readAskedApp } from './asked-app';
import { admit, type Entrance, look } from './entrance';
import { explain } from './explain';
import { forward, hasBody } from './forward';
import { forwardUpgrade } from './forward-upgrade';
import { toApp } from './headers';
import { openVisits } from './open-visits';
import { START_PATH } from './start-path';
import { startWorkspace } from './start-workspace';
import { inWords } from './words';

/** What the request's host leads to; undefined where it is the console itself that is asked. */
export function appHostOf({ headers }: IncomingMessage): AppHost | undefined {
  const place = appsPlace();
  const host = headers.host ?? '';
  if (!place || host === '') return undefined;
  const found = readAppHost(host, place);
  return found && found.name !== new URL(env().publicUrl).hostname ? found : undefined;
}

/** A way to answer, on a response or on the bare socket of an upgrade. */
interface Desk {
  answer(response: KernelResponse): void;
  /** Ends the connection at once: whoever has it may no longer. */
  end(): void;
  /** Runs once it is over. */
  onClose(done: () => void): void;
  pass(way: {
    asked: AskedApp;
    headers: string[];
    ownCookies: ReadonlySet<string>;
    onFailure(error: unknown): void;
  }): void;
}

/** Answers a request to a host under the apps' domain. Nothing of the console is reached by it. Never throws. */
export function serveApp(request: IncomingMessage, response: ServerResponse, host: AppHost): void {
  serve(request, host, {
    answer: (answer) => send(request, response, answer),
    end: () => response.destroy(),
    onClose: (done) => response.once('close', done),
    pass: ({ asked, ...way }) => forward(request, response, { app: asked.app, ...way }),
  });
}

/** The same for a request that asks for a WebSocket. */
export function serveAppUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  { head, host }: { head: Buffer; host: AppHost },
): void {
  socket.on('error', (error) => log.debug({ err: error }, 'a WebSocket to a workspace failed'));
  const refuse = (status: number, message: string): void =>
    refuseUpgrade(socket, { status, json: { code: status, message, data: {} } });
  if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') {
    return refuse(501, 'Connections are upgraded to WebSockets alone.');
  }
  serve(request, host, {
    answer: ({ status, json = { code: status, message: 'No WebSocket here.', data: {} } }) =>
      refuseUpgrade(socket, { status, json }),
    end: () => socket.destroy(),
    onClose: (done) => socket.once('close', done),
    pass: ({ asked, ...way }) => forwardUpgrade(request, { app: asked.app, socket, head, ...way }),
  });
}

function serve(request: IncomingMessage, host: AppHost, desk: Desk): void {
  try {
    const place = appsPlace();
    const asked = place && readAskedApp(request, host, place);
    const te = request.headers['transfer-encoding'];
    if (!asked || (te !== undefined && te.toLowerCase() !== 'chunked')) return desk.answer(noApp(host));
    const found = look(request, asked);
    const { isPage } = found;
    const { origin, uri } = asked.asked;
    if (!host.isCanonical) {
      // Spelled otherwise it is another origin, with other cookies.
      if (isPage)
        return desk.answer({ status: 307, headers: { location: `${origin}${uri}`, 'cache-control': 'no-store' } });
      return desk.answer(inWords({ status: 421, title: 'The address is spelled otherwise:', text: [origin] }, false));
    }
    const entrance = admit(request, asked, found);
    if (!('isAllowed' in entrance)) return desk.answer(entrance.json && isPage ? pageOf(entrance) : entrance);
    if (uri === START_PATH && request.method === 'POST') return start(request, { asked, entrance, desk });
    enter(request, { asked, entrance, desk, ...found });
  } catch (error) {
    fail(error, desk);
  }
}

function enter(
  request: IncomingMessage,
  visit: { asked: AskedApp; entrance: Entrance; desk: Desk; isPage: boolean; ownCookies: ReadonlySet<string> },
): void {
  const { asked, entrance, desk, isPage, ownCookies } = visit;
  const { username } = entrance;
  const client = callerAddress(request);
  const leave = openVisits().enter({
    workspace: asked.app.workspace,
    who: username || client,
    isAllowed: () => entrance.isAllowed(),
    untilMs: () => entrance.untilMs(),
    end: () => desk.end(),
  });
  if (!leave) {
    const text = ['Close some pages of workspaces and try again.'];
    return desk.answer(inWords({ status: 429, title: 'Too many connections are open.', text }, isPage));
  }
  desk.onClose(leave);
  const { host } = asked;
  const headers = toApp(request.rawHeaders, { ownCookies, client, host, scheme: asked.asked.scheme, username });
  const onFailure = (error: unknown): void => {
    try {
      desk.answer(inWords(explain(error, asked.app, username), isPage));
    } catch (wrong) {
      fail(wrong, desk);
    }
  };
  desk.pass({ asked, headers, ownCookies, onFailure });
}

function start(
  request: IncomingMessage,
  { asked, entrance, desk }: { asked: AskedApp; entrance: Entrance; desk: Desk },
): void {
  startWorkspace(request, { workspace: asked.app.workspace, username: entrance.username }).then(
    (words) => {
      const headers = { location: `${asked.asked.origin}/`, 'cache-control': 'no-store' };
      desk.answer(words.status === 202 ? { status: 303, headers } : inWords(words, true));
    },
    (error: unknown) => fail(error, desk),
  );
}

function fail(error: unknown, desk: Desk): void {
  log.error({ err: error }, 'a request to a workspace failed');
  desk.answer(inWords({ status: 500, title: 'Something went wrong.', text: ['Try again.'] }, false));
}

const noApp = ({ app }: AppHost): KernelResponse =>
  app
    ? inWords({ status: 400, title: 'The request can’t be read.', text: [] }, false)
    : inWords({ status: 404, title: 'No workspace has this address.', text: [] }, true);

/** What the log-in refuses, for somebody who looks at it. */
function pageOf({ status, json }: KernelResponse): KernelResponse {
  return inWords({ status, title: (json as { message: string }).message, text: [] }, true);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, json, body }: KernelResponse,
): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const text = json === undefined ? String(body ?? '') : JSON.stringify(json);
  // By name: a message of the workspace's that can't be passed on would be kept.
  response.writeHead(status, STATUS_CODES[status] ?? '', {
    ...(json !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
    ...headers,
    'content-length': Buffer.byteLength(text),
    // What is still on its way of a body is nobody's.
    ...(hasBody(request) && !request.complete && { connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
