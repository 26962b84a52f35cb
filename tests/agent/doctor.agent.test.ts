import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { examine } from '@/agent/doctor/check';
import { consoleChecks, judgeCertificate } from '@/agent/doctor/console-checks';
import { engineChecks } from '@/agent/doctor/engine-checks';
import { machineChecks } from '@/agent/doctor/machine-checks';
import { nvidiaCheck } from '@/agent/doctor/nvidia-check';
import { createRoute } from '@/agent/outbound-proxy';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { SimulatedEngine } from '@/agent/engines/simulated/simulated-engine';
import type { Finding } from '@/lib/protocol/doctor-streams';

let folder: string;
const servers: (http.Server | https.Server)[] = [];

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'berth-doctor-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function serve(server: http.Server | https.Server, scheme = 'http'): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function named(findings: Finding[]): Record<string, Finding> {
  return Object.fromEntries(findings.map((finding) => [finding.check, finding]));
}

async function lookAt(consoleUrl: string, patienceMs?: number): Promise<Record<string, Finding>> {
  const engine = new SimulatedEngine({});
  const rest = { dockerHost: '', stateDir: folder, bindRoots: [], client: undefined, proxy: {}, engine };
  return named(await examine(consoleChecks({ consoleUrl, ...createRoute(consoleUrl), ...rest }), patienceMs));
}

const health = JSON.stringify({ code: 200, message: 'API is healthy.', data: {} });

describe('the way to the console', () => {
  it('ends where the name has no address', async () => {
    const found = await lookAt('http://no-such-console.invalid:3000');
    expect(found.DNS).toMatchObject({ state: 'failed', cure: expect.stringContaining('/etc/resolv.conf') as string });
    expect(found.Console).toMatchObject({
      state: 'failed',
      cure: expect.stringContaining('BERTH_CONSOLE_URL') as string,
    });
    expect(found['Host key']).toMatchObject({ state: 'skipped' });
  });

  it('ends where nothing listens', async () => {
    const found = await lookAt('http://127.0.0.1:1');
    expect(found.DNS).toMatchObject({ state: 'ok' });
    expect([found.Console!.state, found.WebSocket!.state]).toEqual(['failed', 'failed']);
  });

  it('ends at another program, and at a console that is not well', async () => {
    const other = await serve(http.createServer((_, answer) => answer.end('<h1>It works!</h1>')));
    expect((await lookAt(other)).Console).toMatchObject({
      found: expect.stringContaining('no Berth console') as string,
    });
    const words = JSON.stringify({ code: 503, message: 'The disk is full.', data: {} });
    const ill = await serve(http.createServer((_, answer) => answer.writeHead(503).end(words)));
    expect((await lookAt(ill)).Console).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('The disk is full.') as string,
    });
  });

  it('has a proxy in between that keeps WebSockets back', async () => {
    // It hands on what is asked without the request for an upgrade, as one does that was never told of WebSockets.
    const url = await serve(
      http.createServer((request, answer) => answer.writeHead(request.url === '/api/health' ? 200 : 404).end(health)),
    );
    const found = await lookAt(url);
    expect(found.Console).toMatchObject({ state: 'ok' });
    expect(found.WebSocket).toMatchObject({
      state: 'failed',
      cure: expect.stringContaining('proxy_set_header Upgrade') as string,
    });
  });

  it('has a clock at its other end that is an hour off', async () => {
    const date = new Date(Date.now() - 3600e3).toUTCString();
    const url = await serve(http.createServer((_, answer) => answer.writeHead(200, { date }).end(health)));
    expect((await lookAt(url)).Clock).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/3[56]\d\d\.\d s ahead of/) as string,
    });
  });

  it('shows a certificate that nobody trusts, and says how to trust it', async () => {
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name));
    const subject = ['-subj', '/O=Harbour Lab/CN=console', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync(
      'openssl',
      [
        ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 400'.split(' '),
        ...subject,
        '-keyout',
        key!,
        '-out',
        cert!,
      ],
      { stdio: 'ignore' },
    );
    const tls = { key: readFileSync(key!), cert: readFileSync(cert!) };
    const found = await lookAt(
      await serve(
        https.createServer(tls, (_, answer) => answer.end(health)),
        'https',
      ),
    );
    for (const check of ['TLS', 'Console', 'WebSocket']) {
      expect(found[check]).toMatchObject({
        state: 'failed',
        cure: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
      });
    }
    expect(found.TLS!.found).toContain('Harbour Lab');
  });

  it('judges a certificate by its end and its name', () => {
    const certificate = {
      issuer: { O: 'Lab' },
      valid_to: 'Jan 10 00:00:00 2030 GMT',
      subject: { CN: 'other' },
    } as never;
    const at = (date: string, problem = '') => judgeCertificate(certificate, problem, Date.parse(date)).state;
    expect(at('2029-01-01')).toBe('ok');
    expect(at('2030-01-02')).toBe('warning');
    expect(at('2030-01-11', 'CERT_HAS_EXPIRED')).toBe('failed');
    expect(at('2029-01-01', 'ERR_TLS_CERT_ALTNAME_INVALID')).toBe('failed');
  });

  it('warns of plain http that leaves the machine', async () => {
    expect((await lookAt('http://192.0.2.1:3000')).TLS).toMatchObject({ state: 'warning' });
  }, 20_000);

  it('is given up on where nobody answers', async () => {
    const url = await serve(http.createServer(() => undefined));
    const found = await lookAt(url, 300);
    expect(found.Console).toMatchObject({ state: 'failed', found: expect.stringContaining('0.3 s') as string });
  });
});

describe('the machine', () => {
  it('has no engine', async () => {
    const engine = new DockerEngine({ dockerHost: `unix://${folder}/none.sock` });
    const found = named(await examine(engineChecks({ engine, dockerHost: `unix://${folder}/none.sock` })));
    expect(found.Engine).toMatchObject({ state: 'failed', cure: expect.stringContaining('Install Docker') as string });
    expect(found.BuildKit).toMatchObject({ state: 'skipped' });
    await engine.close();
  });

  it('has folders that are there, and others', async () => {
    const look = async (stateDir: string, bindRoots: string[]) =>
      named(await examine(machineChecks({ stateDir, bindRoots } as never)));
    const good = await look(folder, [folder]);
    expect([good['State folder']!.state, good['Folders for volumes']!.state]).toEqual(['ok', 'ok']);
    const bad = await look(`${folder}/none`, [`${folder}/none`, '/etc/hostname']);
    expect([bad['State folder']!.state, bad['Folders for volumes']!.state]).toEqual(['failed', 'failed']);
    expect(bad['Folders for volumes']!.found).toContain('/etc/hostname is no folder.');
  });
});

describe('NVIDIA', () => {
  const engine = new SimulatedEngine({});
  const look = async (pciDir: string, by: { info(): Promise<{ runtimes: string[] }> } = engine) =>
    (await examine([nvidiaCheck({ engine: by as never }, pciDir)]))[0]!;
  const withRuntime = { info: () => Promise.resolve({ runtimes: ['runc', 'nvidia'] }) };

  /** As the real one answers, or fails. */
  function install(script: string): void {
    const bin = mkdtempSync(path.join(folder, 'bin-'));
    writeFileSync(path.join(bin, 'nvidia-smi'), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, 'nvidia-smi'), 0o755);
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  }

  function card(): string {
    const pci = mkdtempSync(path.join(folder, 'pci-'));
    mkdirSync(path.join(pci, '0000:01:00.0'));
    writeFileSync(path.join(pci, '0000:01:00.0/vendor'), '0x10de\n');
    writeFileSync(path.join(pci, '0000:01:00.0/class'), '0x030200\n');
    return pci;
  }

  it('is not there, or has a card without a driver', async () => {
    vi.stubEnv('PATH', folder);
    expect(await look(mkdtempSync(path.join(folder, 'pci-')))).toMatchObject({ state: 'skipped' });
    expect(await look(card())).toMatchObject({
      state: 'warning',
      cure: expect.stringContaining('nvidia-driver') as string,
    });
  });

  it('has a driver that fails, in its own words', async () => {
    install('echo "NVIDIA-SMI has failed because it could not talk to the driver." >&2; exit 9');
    const found = await look(card());
    expect(found).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('could not talk to the driver') as string,
    });
  });

  it('has a driver, with or without what brings it into containers', async () => {
    install('echo "GPU-1, Tesla T4, 15360, 550.54.15"');
    expect(await look(card())).toMatchObject({
      state: 'warning',
      cure: expect.stringContaining('nvidia-ctk runtime configure') as string,
    });
    expect(await look(card(), withRuntime)).toMatchObject({
      state: 'ok',
      found: 'Driver 550.54.15 with Tesla T4; containers get them by the runtime nvidia.',
    });
  });
});
