import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import sharp from 'sharp';

export interface RealProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What profiles say of whoever logs in under that name; `sub` is the name. */
  profiles: Map<string, Record<string, unknown>>;
  close(): Promise<void>;
}

/**
 * A certified OpenID Connect provider on loopback with its own log-in and consent pages, which take any name. It also serves
 * a picture under /picture.png.
 */
export async function startOidcProvider(redirectUris: string[]): Promise<RealProvider> {
  const profiles = new Map<string, Record<string, unknown>>();
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0b7a73' } })
    .png()
    .toBuffer();
  let callback: http.RequestListener = () => undefined;
  const server = http.createServer((request, response) => {
    if (request.url !== '/picture.png') return void callback(request, response);
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = 'berth console';
  const clientSecret = 's3cret+with/odd:signs%';
  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code'],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'picture', 'groups'],
    },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, picture: `${issuer}/picture.png`, ...profiles.get(sub) }),
    }),
    cookies: { keys: ['loopback only'] },
    ttl: { Session: 3600, Interaction: 600, Grant: 3600, AccessToken: 600 },
  };
  callback = new Provider(issuer, configuration).callback();
  return {
    issuer,
    clientId,
    clientSecret,
    profiles,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Walks through the provider's pages as a browser would: logs in under the name, agrees, and returns where it is sent back to. */
export async function walkThrough(authUrl: string, name: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(authUrl);
  let init: RequestInit = {};
  for (let step = 0; step < 15; step += 1) {
    const cookie = [...jar].map(([key, value]) => `${key}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    init = {};
    if (location) {
      const origin = url.origin;
      url = new URL(location, url);
      if (url.origin !== origin) return url;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (!prompt) throw new Error(`the provider answered ${response.status}: ${page.slice(0, 500)}`);
    init = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ prompt, ...(prompt === 'login' && { login: name, password: 'any' }) }).toString(),
    };
  }
  throw new Error('the provider sends in circles');
}
