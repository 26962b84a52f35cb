import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '@/agent/engines/engine';
import type { ContainerAddress } from '@/agent/engines/engine-proxies';

export interface TraefikApi {
  readonly port: number;
  /** An engine that knows one container, `traefik`, at this machine's own address. */
  readonly engine: Pick<Engine, 'proxies'>;
  /** What is answered by path, without the query. */
  readonly answers: Map<string, unknown>;
  close(): Promise<void>;
}

/** As an answer: none ever comes. */
export const SILENCE = Symbol('silence');

const ROUTER = { entryPoints: ['web'], service: 'app', rule: 'Host(`a.example`)', status: 'enabled', using: ['web'] };

/** Answers as the API of a Traefik does; `tests/engines/traefik.engine.test.ts` asks a real one. */
export async function startTraefikApi(): Promise<TraefikApi> {
  const answers = new Map<string, unknown>([
    ['/api/version', { Version: '3.6.12', Codename: 'x', startDate: '2026-11-01T00:00:00Z' }],
    ['/api/entrypoints', [{ name: 'web', address: ':80', transport: {} }]],
    ['/api/overview', { http: { routers: { total: 1, warnings: 0, errors: 0 } } }],
    ['/api/http/routers', [{ ...ROUTER, name: 'app@file', provider: 'file' }]],
  ]);
  const server = http.createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    if (answers.get(path) === SILENCE) return;
    if (!answers.has(path)) return void response.writeHead(404).end('404 page not found');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers.get(path)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at: ContainerAddress = { isRunning: true, isOnHost: false, addresses: { web: '127.0.0.1' } };
  const findAddress = (name: string) => Promise.resolve(name === 'traefik' ? at : null);
  return {
    port: (server.address() as AddressInfo).port,
    engine: { proxies: { findAddress } as unknown as Engine['proxies'] & object },
    answers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
