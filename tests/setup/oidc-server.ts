import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OidcServer {
  url: string;
  /** Who the next code stands for; a missing one makes the token call fail. */
  profile: Record<string, unknown> | undefined;
  /** Bodies of the token calls. */
  exchanges: URLSearchParams[];
  close(): Promise<void>;
}

/** A sign-in provider that believes any code. */
export async function startOidcServer(): Promise<OidcServer> {
  const exchanges: URLSearchParams[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const answer = (status: number, json: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(json));
      };
      if (request.url === '/token') {
        exchanges.push(new URLSearchParams(body));
        if (!oidc.profile) return answer(400, { error: 'invalid_grant' });
        return answer(200, { access_token: 'access', refresh_token: 'refresh', token_type: 'Bearer', expires_in: 60 });
      }
      if (request.url === '/.well-known/openid-configuration') {
        const { url } = oidc;
        return answer(200, { authorization_endpoint: `${url}/auth`, token_endpoint: `${url}/token` });
      }
      return request.headers.authorization === 'Bearer access' ? answer(200, oidc.profile) : answer(401, {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const oidc: OidcServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    profile: undefined,
    exchanges,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return oidc;
}
