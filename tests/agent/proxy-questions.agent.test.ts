import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { reportNvidia } from '@/agent/doctor/nvidia-report';
import { SimulatedEngine } from '@/agent/engines/simulated/simulated-engine';
import { askTraefik } from '@/agent/streams/traefik';
import { nvidiaReportSchema, traefikReportSchema } from '@/lib/protocol/proxy-streams';
import { SILENCE, startTraefikApi, type TraefikApi } from '../setup/traefik-api';

describe('a Traefik', () => {
  let api: TraefikApi;
  beforeAll(async () => {
    api = await startTraefikApi();
  });
  afterAll(() => api.close());

  const ask = (containerName = 'traefik', apiPort = api.port) =>
    askTraefik({ kind: 'traefik', containerName, apiPort }, api.engine);
  const router = (index: number) => ({
    name: `r${index}@file`,
    rule: 'x'.repeat(10_000),
    status: 'disabled',
    error: Array.from({ length: 20 }, () => 'y'.repeat(1100)),
  });

  it('says no more than the console takes, however much it has', async () => {
    api.answers.set(
      '/api/http/routers',
      Array.from({ length: 60 }, (_, index) => router(index)),
    );
    api.answers.set('/api/overview', { http: { routers: { total: 5000 } } });
    const report = traefikReportSchema.parse(await ask());
    expect(report).toMatchObject({ version: '3.6.12', routersTotal: 5000 });
    expect(report.routers[0]).toMatchObject({ name: 'r0@file', service: '', status: 'disabled' });
    expect(report.routers[0]?.errors).toHaveLength(10);
  });

  it('is told to turn its API on where something else answers, or nothing', async () => {
    const cure = "Turn it on in Traefik's static configuration: [api] with insecure = true.";
    await expect(ask('traefik', 1)).rejects.toThrow(`nothing listens there. ${cure}`);
    const held = api.answers.get('/api/version');
    api.answers.set('/api/version', { hello: 'world' });
    await expect(ask()).rejects.toThrow("its answer is not that of Traefik's API");
    api.answers.set('/api/version', 'z'.repeat(5 * 1024 * 1024));
    await expect(ask()).rejects.toThrow(/its answer is too long$/);
    api.answers.delete('/api/version');
    await expect(ask()).rejects.toThrow(`it answered 404. ${cure}`);
    api.answers.set('/api/version', held);
  });

  it('is given up after five seconds', async () => {
    api.answers.set('/api/entrypoints', SILENCE);
    const start = performance.now();
    await expect(ask()).rejects.toThrow('no answer');
    expect(performance.now() - start).toBeLessThan(7000);
  }, 15_000);

  it('has to be there, on an engine that knows it', async () => {
    await expect(ask('other')).rejects.toThrow('The host has no container other.');
    await expect(askTraefik({ kind: 'traefik', containerName: 'x', apiPort: 1 }, {})).rejects.toThrow(
      'knows no Traefik',
    );
  });
});

describe('NVIDIA on a host', () => {
  let bin: string;
  const engine = (runtimes: string[]) => {
    const simulated = new SimulatedEngine({});
    return { info: async () => ({ ...(await simulated.info()), runtimes }) };
  };
  beforeAll(() => {
    bin = mkdtempSync(path.join(tmpdir(), 'berth-nvidia-'));
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => rmSync(bin, { recursive: true, force: true }));

  function install(folder: string, programs: Record<string, string>): void {
    const place = path.join(bin, folder);
    mkdirSync(place, { recursive: true });
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(path.join(place, name), `#!/bin/sh\n${script}\n`);
      chmodSync(path.join(place, name), 0o755);
    }
    vi.stubEnv('PATH', `${place}:/nowhere`);
  }

  it('is told with driver, cards, toolkit and how containers get them', async () => {
    install('whole', {
      'nvidia-smi': 'echo "GPU-1, NVIDIA L4, 23034, 580.65.06"',
      'nvidia-ctk': 'echo "NVIDIA Container Toolkit CLI version 1.18.0"\necho "commit: abc"',
    });
    const report = nvidiaReportSchema.parse(await reportNvidia(engine(['runc', 'nvidia'])));
    expect(report).toMatchObject({
      driverVersion: '580.65.06',
      toolkitVersion: '1.18.0',
      given: 'runtime',
      cards: [{ model: 'NVIDIA L4', memoryBytes: 23034 * 1024 * 1024 }],
      problem: '',
    });
  });

  it('is told as nothing on a machine without any', async () => {
    install('empty', {});
    const devices = path.join(bin, 'pci');
    mkdirSync(devices);
    expect(await reportNvidia(engine(['runc']), devices)).toMatchObject({
      driverVersion: '',
      toolkitVersion: '',
      cards: [],
      seenCards: 0,
      given: 'none',
      problem: '',
    });
    expect((await reportNvidia(engine(['runc']), path.join(bin, 'none'))).seenCards).toBeNull();
  });

  it('is told with what went wrong, and cards without their driver', async () => {
    install('broken', { 'nvidia-smi': 'echo "NVIDIA-SMI has failed" >&2; exit 9', 'nvidia-ctk': 'exit 1' });
    const card = path.join(bin, 'cards/0000:01:00.0');
    mkdirSync(card, { recursive: true });
    writeFileSync(path.join(card, 'vendor'), '0x10de\n');
    writeFileSync(path.join(card, 'class'), '0x030200\n');
    expect(await reportNvidia(engine(['runc']), path.join(bin, 'cards'))).toMatchObject({
      driverVersion: '',
      toolkitVersion: '',
      seenCards: 1,
      problem: 'nvidia-smi: NVIDIA-SMI has failed',
    });
  });
});
