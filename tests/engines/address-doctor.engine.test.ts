import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { askTraefik } from '@/agent/streams/traefik';
import type { HostRow } from '@/lib/hosts/collection';
import { checkCertificate } from '@/lib/workspaces/doctor/check-certificate';
import { judgeRouters } from '@/lib/workspaces/doctor/check-router';
import { docker as run } from '../setup/docker';
import { fileProxy } from '../setup/file-proxy';
import { ensureTraefikImage, traefikIsThere } from '../setup/traefik';
import { dockerAbsence } from './docker-fixture';
import { TestTraefik } from './traefik-fixture';

const AGAINST = { timeout: 20_000, interval: 100 };
const host = { name: 'hopper', reverse_proxy: fileProxy } as unknown as HostRow;
const ROUTERS = `
http:
  services:
    app: { loadBalancer: { servers: [{ url: 'http://127.0.0.1:1' }] } }
  routers:
    good: { rule: 'Host(\`good.lab.test\`)', service: app, entryPoints: [web] }
    astray: { rule: 'Host(\`astray.lab.test\`)', service: app, entryPoints: [nowhere] }
    unsigned: { rule: 'Host(\`unsigned.lab.test\`)', service: app, entryPoints: [web], tls: { certResolver: nobody } }
    elsewhere: { rule: 'Host(\`app.other.test\`)', service: app, entryPoints: [web] }
`;

/** What a real Traefik says of its routers and shows of certificates, and what people are told of that. */
describe.skipIf(dockerAbsence !== '' || !traefikIsThere())('the way to an address at a real Traefik', () => {
  const traefik = new TestTraefik(`berth-test-traefik-d${randomUUID().slice(0, 8)}`);
  const engine = new DockerEngine({ dockerHost: '' });
  const ask = (search?: string) =>
    askTraefik({ kind: 'traefik', containerName: traefik.name, apiPort: 8080, ...(search && { search }) }, engine);
  const judge = async (name: string, isUp = true) => judgeRouters(await ask(name), { host, wanted: [{ name, isUp }] });

  beforeAll(async () => {
    await ensureTraefikImage();
    await traefik.start('--api.insecure=true', '--entryPoints.traefik.address=:8080');
    fs.writeFileSync(path.join(traefik.folder, 'routers.yml'), ROUTERS);
    await vi.waitFor(async () => expect((await ask('good.lab.test')).routers).toHaveLength(1), AGAINST);
  }, 20 * 60_000);
  afterAll(async () => {
    await traefik.close();
  }, 60_000);

  it('is asked for the routers of a name, and of all names under a domain', async () => {
    const names = async (search?: string) => (await ask(search)).routers.map(({ name }) => name).toSorted();
    expect(await names('good.lab.test')).toEqual(['good@file']);
    expect(await names('lab.test')).toEqual(['astray@file', 'good@file', 'unsigned@file']);
    expect(await names()).toContain('elsewhere@file');
  });

  it('says which router is there, which is missing, and what is wrong with one', async () => {
    expect(await judge('good.lab.test')).toMatchObject({ state: 'ok' });
    expect(await judge('none.lab.test')).toMatchObject({
      state: 'error',
      cure: expect.stringContaining('/nowhere/berth-test'),
    });
    expect(await judge('none.lab.test', false)).toMatchObject({ state: 'skipped' });
    expect(await judge('astray.lab.test')).toMatchObject({
      state: 'error',
      cure: "Name an entry point of Traefik in the host's reverse proxy: it has web.",
    });
    // That its resolver is none is in Traefik's log alone: what people see of it is the certificate.
    expect(await judge('unsigned.lab.test')).toMatchObject({ state: 'ok' });
  });

  it('has its default certificate known for what it is', async () => {
    const port = Number((await run('port', traefik.name, '80/tcp')).split(':').at(-1));
    const reach = { address: '127.0.0.1', refusal: '' };
    const seen = () => checkCertificate({ reach, name: 'unsigned.lab.test', port });
    expect(await seen()).toMatchObject({
      state: 'error',
      found: 'Traefik shows its own default certificate: it has none for unsigned.lab.test.',
    });
  });
});
