import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiKernel } from '@/lib/api/kernel';
import { serveNode } from '@/lib/http/node-door';
import type { AnyRow } from '@/lib/records/collection';
import { api } from './api';
import { authorizationOf } from './call';

export interface ProxyAnswer {
  status: number;
  location: string;
  cookies: string[];
  user: string | undefined;
  type: string;
  text: string;
}

export type SentHeaders = Record<string, string | string[] | undefined>;

/** The API on a port of its own, asked as Traefik asks. */
export async function startServiceServer(): Promise<{ port: number; close(): Promise<void> }> {
  const kernel = apiKernel();
  const server = http.createServer((request, response) => void serveNode(kernel, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** One question of a proxy. */
export function askServiceServer(port: number, headers: SentHeaders): Promise<ProxyAnswer> {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', path: '/api/forward-auth', headers: sent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          location: response.headers.location ?? '',
          cookies: response.headers['set-cookie'] ?? [],
          user: response.headers['x-forwarded-user'] as string | undefined,
          type: response.headers['content-type'] ?? '',
          text,
        }),
      );
    });
    request.once('error', reject).end();
  });
}

/** A browser that opens addresses of workspaces by way of a proxy, and keeps the cookies of each. */
export class Visitor {
  private readonly jars = new Map<string, Map<string, string>>();

  constructor(private readonly port: number) {}

  jar(url: string): Map<string, string> {
    const { hostname } = new URL(url);
    const jar = this.jars.get(hostname) ?? new Map<string, string>();
    this.jars.set(hostname, jar);
    return jar;
  }

  async open(url: string, headers: SentHeaders = {}): Promise<ProxyAnswer> {
    const { protocol, host } = new URL(url);
    const jar = this.jar(url);
    const answer = await askServiceServer(this.port, {
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-host': host,
      'x-forwarded-uri': url.slice(`${protocol}//${host}`.length) || '/',
      'x-forwarded-method': 'GET',
      accept: 'text/html,application/xhtml+xml',
      ...(jar.size > 0 && { cookie: [...jar].map((pair) => pair.join('=')).join('; ') }),
      ...headers,
    });
    for (const cookie of answer.cookies) {
      const [name = '', value = ''] = cookie.split(';')[0]!.split('=');
      if (cookie.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  /** Opens an address that asks for a log-in; returns what the console's page gets. */
  async begin(url: string): Promise<{ state: string; csrfToken: string }> {
    const { searchParams } = new URL((await this.open(url)).location);
    return { state: searchParams.get('state')!, csrfToken: searchParams.get('csrf_token')! };
  }

  /** The whole way of a log-in, up to the address itself; returns the last answer. */
  async logIn(url: string, as: { id: string }): Promise<ProxyAnswer> {
    const { address } = await verifyAs(as, await this.begin(url));
    return this.open(address);
  }
}

/** What the console's page does for a person; `address` is where it sends the browser. */
export async function verifyAs(
  as: { id: string } | undefined,
  { state, csrfToken }: { state: string; csrfToken: string },
  authToken = authorizationOf(as?.id).authorization ?? '',
): Promise<{ status: number; json: AnyRow; address: string }> {
  const answer = await api('POST', '/api/verify', { body: { authToken, state, csrf_token: csrfToken } });
  return { ...answer, address: String(answer.json.address ?? '') };
}

async function withVisitor<T>(work: (visitor: Visitor) => Promise<T>): Promise<T> {
  const server = await startServiceServer();
  try {
    return await work(new Visitor(server.port));
  } finally {
    await server.close();
  }
}

/** What the console's page gets of somebody who opens the address. */
export const askedOfVisitor = (url: string) => withVisitor((visitor) => visitor.begin(url));

/** The headers by which a proxy asks for somebody who has logged in at the address. */
export function visitorInside(url: string, as: { id: string }): Promise<Record<string, string>> {
  return withVisitor(async (visitor) => {
    await visitor.logIn(url, as);
    const { protocol, host, pathname } = new URL(url);
    return {
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-host': host,
      'x-forwarded-uri': pathname,
      cookie: [...visitor.jar(url)].map((pair) => pair.join('=')).join('; '),
    };
  });
}
