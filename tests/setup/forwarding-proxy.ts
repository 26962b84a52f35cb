import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a proxy never takes from a client: who somebody is, and what is on its own way to the service server. */
const DROPPED = /^x[-_]forwarded[-_]/;

export interface ForwardingProxy {
  port: number;
  close(): Promise<void>;
}

/**
 * A proxy that does what Traefik's forwardAuth does: asks the service server of each request, passes on its answer, and with a
 * 200 forwards to the app with the header that it named.
 */
export async function startForwardingProxy(serviceServer: string): Promise<ForwardingProxy> {
  const app = http.createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,"><h1>Hello ${String(request.headers['x-forwarded-user'])}</h1><p>${request.url!}</p></html>`,
    );
  });
  const appPort = await listening(app);
  const proxy = http.createServer((request, response) => void forward(request, response, { serviceServer, appPort }));
  const port = await listening(proxy);
  return {
    port,
    async close() {
      for (const server of [proxy, app]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function listening(server: http.Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { serviceServer, appPort }: { serviceServer: string; appPort: number },
): Promise<void> {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !DROPPED.test(name)));
  const asked = await send(serviceServer, {
    ...headers,
    host: new URL(serviceServer).host,
    'x-forwarded-proto': 'http',
    'x-forwarded-host': request.headers.host,
    'x-forwarded-uri': request.url,
    'x-forwarded-method': request.method,
  });
  const user = asked.message.headers['x-forwarded-user'];
  const isLetIn = asked.message.statusCode === 200;
  const url = `http://127.0.0.1:${appPort}${request.url!}`;
  const answer = isLetIn ? await send(url, { ...headers, 'x-forwarded-user': user }) : asked;
  response.writeHead(answer.message.statusCode!, answer.message.headers).end(answer.body);
}

function send(url: string, headers: http.OutgoingHttpHeaders): Promise<{ message: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers }, (message) => {
        const chunks: Buffer[] = [];
        message.on('data', (chunk: Buffer) => chunks.push(chunk));
        message.once('end', () => resolve({ message, body: Buffer.concat(chunks) }));
      })
      .once('error', reject);
  });
}
