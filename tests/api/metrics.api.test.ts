import { beforeAll, describe, expect, test } from 'vitest';
import { getDb } from '@/db/database';
import { env } from '@/lib/env';
import { collectMetrics, METRIC_QUERIES } from '@/lib/metrics/collect';
import { observeRequest, requestSamples } from '@/lib/metrics/request-times';
import { writeMetrics } from '@/lib/metrics/text-format';
import { api, sendApi } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { createUser } from '../setup/world';
import { createHost, createImage, createWorkspace } from './factories';
import { createCaller } from './kernel-caller';
import { apiRoutes } from '@/lib/api/kernel';
import { connectLink, startLinkServer } from './live-link';

openPrivateDatabase();

interface Parsed {
  type: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/y;

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let at = 0; at < text.length;) {
    LABEL.lastIndex = at;
    const found = LABEL.exec(text);
    if (!found) throw new Error(`no label at ${at}: ${text}`);
    labels[found[1]!] = found[2]!.replace(/\\(.)/g, (_, each: string) => (each === 'n' ? '\n' : each));
    at = LABEL.lastIndex;
  }
  return labels;
}

/** The text format as Prometheus reads it: throws on a line that it would refuse. */
function parseMetrics(text: string): Record<string, Parsed> {
  const families: Record<string, Parsed> = {};
  expect(text.endsWith('\n')).toBe(true);
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'TYPE') {
      if (families[name!]) throw new Error(`${name} twice`);
      families[(current = name!)] = { type: rest!, samples: [] };
    }
    if (kind) continue;
    const [, sample, labels = '', value] = LINE.exec(line) ?? [];
    if (!sample || !/^(?:NaN|[+-]Inf|-?\d[\d.e+-]*)$/.test(value!)) throw new Error(`no sample: ${line}`);
    if (!sample.startsWith(current)) throw new Error(`${sample} is none of ${current}`);
    families[current]!.samples.push({
      name: sample,
      labels: labelsOf(labels),
      value: Number(value!.replace('Inf', 'Infinity')),
    });
  }
  return families;
}

let admin: { id: string };
let family: Record<string, Parsed>;
const scrape = async () => parseMetrics(await (await sendApi('GET', '/api/metrics', { as: admin })).text());
const valueOf = (name: string, labels: Record<string, string> = {}) =>
  family[name]?.samples.find((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    ?.value;

beforeAll(async () => {
  admin = await createUser({ isAdmin: true });
});

describe('the metrics', () => {
  test('are closed to everybody but admins and whoever has the token', async () => {
    const member = await createUser({});
    const by = async (authorization: string) =>
      (await sendApi('GET', '/api/metrics', { headers: { authorization } })).status;
    expect((await sendApi('GET', '/api/metrics')).status).toBe(401);
    expect((await sendApi('GET', '/api/metrics', { as: member })).status).toBe(403);
    expect((await sendApi('GET', '/api/metrics', { as: admin })).status).toBe(200);
    const token = 'scrape-me-with-this-token';
    for (const none of ['', 'Bearer ', 'Bearer undefined', `Bearer ${token}`]) expect(await by(none)).toBe(401);
    const settings = env() as { metricsToken: string | undefined };
    settings.metricsToken = token;
    try {
      expect(await by(`Bearer ${token}`)).toBe(200);
      for (const wrong of [
        '',
        'Bearer ',
        `Bearer ${token}x`,
        `Bearer ${token.slice(1)}`,
        `Bearer ${'x'.repeat(9000)}`,
        `Basic ${token}`,
      ]) {
        expect(await by(wrong)).toBe(401);
      }
      const elsewhere = await sendApi('GET', '/api/users', { headers: { authorization: `Bearer ${token}` } });
      expect(elsewhere.status).not.toBe(200);
    } finally {
      settings.metricsToken = undefined;
    }
  });

  test('are in the format of Prometheus, and say what is there', async () => {
    const { agent, host } = await createHost(createCaller(apiRoutes));
    const image = await createImage({ build_on: host.id });
    for (const status of ['running', 'running', 'stopped'])
      await createWorkspace({ host: host.id, image: image.id, status });
    const server = await startLinkServer();
    const link = await connectLink(agent, server.port, {});
    try {
      family = await scrape();
      expect(valueOf('berth_workspaces', { status: 'running' })).toBe(2);
      expect(valueOf('berth_workspaces', { status: 'stopped' })).toBe(1);
      expect(valueOf('berth_hosts', { status: 'online' })).toBe(1);
      expect(valueOf('berth_host_links')).toBe(1);
      expect(valueOf('berth_link_frames_total', { direction: 'sent' })).toBeGreaterThan(0);
      expect(valueOf('berth_builds', { state: 'queued' })).toBe(0);
      expect(valueOf('berth_database_bytes')).toBeGreaterThan(100_000);
      expect(valueOf('berth_heap_used_bytes')).toBeGreaterThan(1_000_000);
      expect(valueOf('berth_last_backup_timestamp_seconds')).toBeUndefined();
    } finally {
      link.socket.terminate();
      await server.close();
    }
  });

  test('have histograms whose buckets grow to their count', async () => {
    for (const ms of [0.5, 3, 80, 700, 20_000]) observeRequest('GET', 200, ms / 1000);
    await api('GET', '/api/health');
    family = await scrape();
    const { type, samples } = family.berth_http_request_duration_seconds!;
    expect(type).toBe('histogram');
    const of = (suffix: string) =>
      samples.filter(({ name, labels }) => name.endsWith(suffix) && labels.method === 'GET' && labels.status === '2xx');
    const buckets = of('_bucket').map(({ value }) => value);
    expect(buckets).toEqual([...buckets].sort((one, other) => one - other));
    expect(of('_bucket').at(-1)!.labels.le).toBe('+Inf');
    expect(buckets.at(-1)).toBe(of('_count')[0]!.value);
    expect(of('_sum')[0]!.value).toBeGreaterThan(20.7);
  });

  test('have few series, whatever is sent', async () => {
    for (let index = 0; index < 500; index += 1) {
      observeRequest(`METHOD${index}`, 200 + (index % 400), 0.01);
      await sendApi('GET', `/api/none/${index}`);
    }
    expect(requestSamples().length).toBeLessThan(8 * 6 * 15);
    expect(new Set(requestSamples().map(({ labels }) => labels!.method)).size).toBeLessThanOrEqual(8);
  });

  test('take what is in a label as it is', () => {
    const odd = 'a"b\\c\nd';
    const text = writeMetrics([
      { name: 'x', help: 'y\nz', type: 'gauge', samples: [{ labels: { odd }, value: Infinity }] },
    ]);
    expect(parseMetrics(text).x).toEqual({ type: 'gauge', samples: [{ name: 'x', labels: { odd }, value: Infinity }] });
  });

  test('read no table through, and cost little', async () => {
    const { sqlite } = getDb();
    for (const sql of METRIC_QUERIES) {
      const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
      for (const { detail } of plan) expect(detail).not.toMatch(/^SCAN (?:workspaces|builds)(?! USING COVERING INDEX)/);
    }
    sqlite.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO workspaces (id, name, host, status) SELECT 'w' || i, 'w' || i, 'h' || i, 'stopped' FROM n`);
    await collectMetrics();
    const startMs = performance.now();
    for (let round = 0; round < 50; round += 1) writeMetrics(await collectMetrics());
    expect((performance.now() - startMs) / 50).toBeLessThan(10);
  });
});
