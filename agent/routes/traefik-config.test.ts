import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  type ReverseProxySpec,
  reverseProxySpecSchema,
  type RouteSpec,
  routeSpecSchema,
} from '../../lib/protocol/specs/route';
import { RouteFiles } from './route-files';
import { toTraefikConfig } from './traefik-config';
import { toTraefikLabels } from './traefik-labels';

const HASH = `$2b$10$${'a'.repeat(53)}`;
const proxy: ReverseProxySpec = reverseProxySpecSchema.parse({
  type: 'traefikDockerProvider',
  containerName: 'traefik',
  entryPoint: 'web, websecure',
  certResolver: 'le',
  forwardAuth: 'https://console.example/api/forward-auth',
});

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
const protection: fc.Arbitrary<RouteSpec['protection']> = fc.oneof(
  fc.constant({ kind: 'none' as const }),
  fc.constant({ kind: 'forwardAuth' as const }),
  fc
    .array(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,20}$/), { minLength: 1, maxLength: 4 })
    .map((names) => ({ kind: 'basic' as const, users: names.map((name) => ({ name, hash: HASH })) })),
);
const route: fc.Arbitrary<RouteSpec> = fc.record({
  scheme: fc.constantFrom('http' as const, 'https' as const),
  hostName: fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
  port: fc.integer({ min: 1, max: 65_535 }),
  protection,
});
const routes = fc.array(route, { minLength: 1, maxLength: 8 });

const of = (list: readonly RouteSpec[]) => ({ hostId: 'h1', workspaceId: 'w1', routes: list, proxy });

describe('what Traefik is told of addresses', () => {
  it('every router of an address, http and https, carries the strip of headers first and then its protection', () => {
    fc.assert(
      fc.property(routes, (list) => {
        const { routers, middlewares, services } = toTraefikConfig(of(list)).http;
        expect(Object.keys(routers)).toHaveLength(list.length);
        Object.values(routers).forEach((router, index) => {
          const wanted = list[index]!;
          const [first, second, ...rest] = router.middlewares.map((name) => middlewares[name]);
          expect(first).toMatchObject({
            headers: { customRequestHeaders: { 'X-Forwarded-User': '', X_Forwarded_User: '' } },
          });
          expect(rest).toEqual([]);
          if (wanted.protection.kind === 'none') expect(second).toBeUndefined();
          else expect(Object.keys(second!)).toEqual([wanted.protection.kind === 'basic' ? 'basicAuth' : 'forwardAuth']);
          expect(router.rule).toBe(`Host(\`${wanted.hostName}\`)`);
          expect('tls' in router).toBe(wanted.scheme === 'https');
          expect(services[router.service]).toEqual({ loadBalancer: { server: { port: wanted.port } } });
        });
      }),
    );
  });

  it('asks the further servers after the console, and takes their headers from nobody else', () => {
    const server = { name: 'roles', address: 'https://roles.example/ask', trustForwardHeader: true };
    const furtherAuth = [{ ...server, authResponseHeaders: ['X-Auth-Role'] }];
    const asked = { scheme: 'https', hostName: 'a.example', port: 80, protection: { kind: 'forwardAuth' } } as const;
    const { routers, middlewares } = toTraefikConfig({ ...of([asked]), proxy: { ...proxy, furtherAuth } }).http;
    const chain = Object.values(routers)[0]!.middlewares.map((name) => middlewares[name]);
    expect(chain).toMatchObject([
      { headers: { customRequestHeaders: { 'X-Forwarded-User': '', 'X-Auth-Role': '', X_Auth_Role: '' } } },
      { forwardAuth: { address: proxy.forwardAuth } },
      { forwardAuth: { address: server.address, trustForwardHeader: true, authResponseHeaders: ['X-Auth-Role'] } },
    ]);
  });

  it('labels and files say the same, and say it again in the same bytes', () => {
    const files = new RouteFiles('h1');
    fc.assert(
      fc.property(routes, (list) => {
        const config = toTraefikConfig(of(list), '172.30.0.2');
        const text = files.write(config, 'w1');
        expect(files.write(toTraefikConfig(of(list), '172.30.0.2'), 'w1')).toBe(text);
        expect(parse(text)).toEqual(config);
        expect(text).not.toMatch(/\{\{|[&*]a\d/);
        const labels = toTraefikLabels(toTraefikConfig(of(list)), 'net');
        for (const [name, router] of Object.entries(config.http.routers)) {
          expect(labels[`traefik.http.routers.${name}.rule`]).toBe(router.rule);
          expect(labels[`traefik.http.routers.${name}.middlewares`]).toBe(router.middlewares.join(','));
        }
      }),
    );
  });

  it('two configurations share no name unless they are the same: an old container and a new one never quarrel', () => {
    fc.assert(
      fc.property(route, route, (one, other) => {
        const names = [one, other].map((each) => Object.keys(toTraefikConfig(of([each])).http.routers)[0]);
        expect(names[0] === names[1]).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
    const [a, b] = ['h1', 'h2'].map((hostId) => toTraefikConfig({ ...of(fc.sample(route, 1)), hostId }));
    expect(Object.keys(a!.http.routers)).not.toEqual(Object.keys(b!.http.routers));
  });

  it('takes nothing that means more than a name', () => {
    const good = { scheme: 'https', hostName: 'a.example', port: 80, protection: { kind: 'none' } };
    expect(routeSpecSchema.safeParse(good).success).toBe(true);
    for (const hostName of ['a`) || Host(`b', 'a.example ', '*.example', '', 'A.example', '{{env}}', 'a..b']) {
      expect(routeSpecSchema.safeParse({ ...good, hostName }).success).toBe(false);
    }
    const withUser = (name: string, hash = HASH) => ({
      ...good,
      protection: { kind: 'basic', users: [{ name, hash }] },
    });
    expect(routeSpecSchema.safeParse(withUser('ada')).success).toBe(true);
    for (const name of ['a,b', 'a:b', '{{env "X"}}', 'a b', '']) {
      expect(routeSpecSchema.safeParse(withUser(name)).success).toBe(false);
    }
    expect(routeSpecSchema.safeParse(withUser('ada', 'plain')).success).toBe(false);
    expect(routeSpecSchema.safeParse({ ...good, protection: { kind: 'basic', users: [] } }).success).toBe(false);
    expect(routeSpecSchema.safeParse({ ...good, protection: { kind: 'newer' } }).success).toBe(false);
    const [read] = [routeSpecSchema.parse(good)];
    for (const bad of [{ entryPoint: '{{ env "A" }}' }, { entryPoint: '' }, { certResolver: 'a,b' }]) {
      expect(() => toTraefikConfig({ ...of([read]), proxy: { ...proxy, ...bad } })).toThrow(/plain name/);
    }
    const asked = { ...read, protection: { kind: 'forwardAuth' as const } };
    const further = { name: 'roles', trustForwardHeader: false, authResponseHeaders: [] };
    for (const address of ['', 'javascript:1']) {
      const furtherAuth = [{ ...further, address }];
      expect(() => toTraefikConfig({ ...of([asked]), proxy: { ...proxy, furtherAuth } })).toThrow(/whom to ask/);
    }
    for (const forwardAuth of ['', 'javascript:1', 'https://x/{{y}}']) {
      expect(() => toTraefikConfig({ ...of([asked]), proxy: { ...proxy, forwardAuth } })).toThrow(/whom to ask/);
    }
  });
});
