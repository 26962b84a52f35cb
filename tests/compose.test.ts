import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parseEnv } from '@/lib/env';
import { composeVariables, readComposeFile, readEnvExample } from './setup/compose-file';

describe('compose.yaml', () => {
  it('serves this machine over plain http without any setting, and starts no Traefik', () => {
    const { services } = readComposeFile();
    const always = Object.entries(services).filter(([, { profiles }]) => !profiles);
    expect(always.map(([name]) => name)).toEqual(['console', 'agent']);
    expect(services.traefik!.profiles).toEqual(['https']);
    expect(services.console!.ports).toEqual(['3000:3000']);
    const settings = parseEnv({ ...services.console!.environment, PORT: '3000' });
    expect(settings).toMatchObject({ publicUrl: 'http://localhost:3000', appsDomain: 'localhost:3000' });
    expect(settings.secret).toBeUndefined();
  });

  it('takes its settings from .env.example, where each of its variables is explained', () => {
    const { set, named } = readEnvExample();
    const known = [...composeVariables().keys(), 'COMPOSE_PROFILES'];
    expect(named.toSorted()).toEqual([...new Set(known)].toSorted());
    expect(set.COMPOSE_PROFILES).toBe('https');
    const { services } = readComposeFile(set);
    expect(parseEnv(services.console!.environment!)).toMatchObject({
      publicUrl: 'https://berth.example.org',
      appsDomain: 'apps.example.net',
    });
    expect(services.console!.ports).toEqual(['127.0.0.1:3000:3000']);
    expect(services.traefik!.command).toContain('--certificatesResolvers.acme.acme.dnsChallenge.provider=cloudflare');
    expect(services.traefik!.environment).toMatchObject({ BERTH_PUBLIC_URL: 'https://berth.example.org' });
  });

  it('believes Traefik alone about callers, at an address that no other container is given', () => {
    const { services, networks } = readComposeFile();
    const address = services.traefik!.networks!.default.ipv4_address;
    expect(parseEnv(services.console!.environment!).trustedProxies).toEqual([address]);
    const [{ subnet, ip_range: rest }] = networks.default.ipam.config;
    const holds = (range: string): boolean => {
      const list = new BlockList();
      const [base, bits] = range.split('/');
      list.addSubnet(base!, Number(bits));
      return list.check(address);
    };
    expect([holds(subnet), holds(rest)]).toEqual([true, false]);
  });

  it('has new hosts run the image that it runs, and asks the name servers that are set', () => {
    const { services } = readComposeFile({ BERTH_IMAGE: 'registry.example/berth:2', BERTH_DNS_SERVERS: '192.0.2.53' });
    const settings = parseEnv(services.console!.environment!);
    expect(settings).toMatchObject({ agentImage: 'registry.example/berth:2', dnsServers: ['192.0.2.53'] });
    expect(parseEnv(readComposeFile().services.console!.environment!).dnsServers).toEqual([]);
  });

  it('hands no setting of the console to Traefik, nor the engine', () => {
    const { services } = readComposeFile({ BERTH_SECRET: 'x'.repeat(40), BERTH_SMTP_URL: 'smtp://secret@mail' });
    expect(JSON.stringify(services.traefik)).not.toMatch(/secret|xxxx|docker\.sock/);
  });
});
