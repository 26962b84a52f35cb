import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** A package index of the test's own on loopback: by path, what it answers. */
export interface PackageServer {
  url: string;
  pages: Map<string, Serve>;
  /** Paths that were asked for, in their order. */
  asked: string[];
  dispose(): Promise<void>;
}

/** JSON as an index sends it, with a tag where it has one: who has it already is told so. */
export function json(value: unknown, { type = 'application/json', etag = '' } = {}): Serve {
  const text = JSON.stringify(value);
  return (request, response) => {
    if (etag !== '' && request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.writeHead(200, { 'content-type': type, ...(etag && { etag }) }).end(text);
  };
}

export const simple = (...names: string[]) => ({
  meta: { 'api-version': '1.0' },
  projects: names.map((name) => ({ name, '_last-serial': 1 })),
});

export async function startPackageServer(): Promise<PackageServer> {
  const pages = new Map<string, Serve>();
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const serve = pages.get(path);
    if (serve) serve(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    asked,
    dispose: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
