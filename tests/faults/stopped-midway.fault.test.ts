import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import Database from 'better-sqlite3';
import PocketBase, { type RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import {
  admin,
  PASSWORD,
  buildImage,
  cleanHost,
  containersOf,
  localHost,
  reaches,
  request,
  setUp,
} from '../setup/journey';

const DEPLOYS = 10;
const LIMIT_MS = 10_000;

describe.skipIf(!engineIsThere())('a console that is stopped in the middle of everything', () => {
  let berth: ConsoleProcess;
  let pb: PocketBase;
  /** Signed in for the administration. */
  let keeper: PocketBase;
  let host: RecordModel;

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
    pb = await setUp(berth.url);
    keeper = new PocketBase(berth.url);
    await keeper.admins.authWithPassword(admin.email, PASSWORD);
    host = await localHost(pb);
  });
  afterAll(async () => {
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  const headers = (client = pb) => ({ authorization: client.authStore.token });

  /** An upload that began and will not end: half of what it announced. */
  function beginUpload(): http.ClientRequest {
    const upload = http.request(`${berth.url}/api/backups/upload`, {
      method: 'POST',
      headers: { ...headers(keeper), 'content-type': 'multipart/form-data; boundary=cut', 'content-length': 2_000_000 },
    });
    upload.on('error', () => undefined);
    const head = 'content-disposition: form-data; name="file"; filename="half.zip"\r\ncontent-type: application/zip';
    upload.write(`--cut\r\n${head}\r\n\r\n`);
    upload.write(Buffer.alloc(1_000_000, 7));
    return upload;
  }

  async function followBuild(imageId: string): Promise<{ text(): string; over: Promise<void> }> {
    const answer = await fetch(`${berth.url}/api/image/${imageId}/build-log`, { headers: headers() });
    let text = '';
    const read = async (): Promise<void> => {
      const reader = answer.body!.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += Buffer.from(part.value);
    };
    return { text: () => text, over: read().catch(() => undefined) };
  }

  it('exits 0 within its limit, its data opens cleanly, and all is finished after the next start', async () => {
    const image = await buildImage(pb, host.id, { name: 'midway', dockerfile: ENDS_AT_ONCE });
    const dockerfile = `${ENDS_AT_ONCE}RUN echo begun; sleep 30; echo ${host.id}\n`;
    const fields = { name: 'cut', build_on: host.id, creationType: 'writeDockerfile', dockerfile };
    const cut = await pb.collection('images').create(fields);
    await request(pb, 'image', cut.id, 'build');
    const log = await followBuild(cut.id);
    await eventually('the log is told', () => log.text().includes('begun'));
    const made = await Promise.all(
      Array.from({ length: DEPLOYS }, (_, index) =>
        pb.collection('workspaces').create({ name: `m${index}`, host: host.id, image: image.id }),
      ),
    );
    beginUpload();
    await Promise.all(made.map(({ id }) => request(pb, 'workspace', id, 'start')));
    const backup = fetch(`${berth.url}/api/backups`, {
      method: 'POST',
      headers: { ...headers(keeper), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'midway.zip' }),
    }).then(
      ({ status }) => status,
      () => 0,
    );

    const sinceMs = Date.now();
    await berth.kill('SIGTERM');
    const tookMs = Date.now() - sinceMs;
    process.stdout.write(`stopped after ${tookMs} ms\n`);
    expect([berth.exitCode, tookMs < LIMIT_MS]).toEqual([0, true]);
    await log.over;
    const backedUp = await backup;

    expect(fs.readdirSync(berth.dataDir).filter((name) => name.startsWith('berth.db'))).toEqual(['berth.db']);
    const sqlite = new Database(path.join(berth.dataDir, 'berth.db'), { readonly: true });
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    sqlite.close();

    berth = await berth.restart();
    await localHost(pb);
    for (const { id } of made) {
      await reaches(pb, { collection: 'workspaces', id, status: 'running' });
      expect(await containersOf(id)).toHaveLength(1);
    }
    expect(await pb.collection('deployments').getFullList({ filter: 'status != "succeeded"' })).toEqual([]);
    const failed = await reaches(pb, { collection: 'images', id: cut.id, status: 'error' });
    expect(failed.statusMessage).toBe('The agent restarted during the build; build again');
    expect(await docker('images', '-q', '--filter', `reference=berth/${cut.id}:*`)).toBe('');
    const backups = await keeper.send<{ key: string }[]>('/api/backups', {});
    expect(backups.map(({ key }) => key)).toEqual(backedUp === 204 ? ['midway.zip'] : []);
    expect(fs.readdirSync(path.join(berth.dataDir, 'backups')).toSorted()).toEqual(backups.map(({ key }) => key));
    await keeper.send('/api/backups', { method: 'POST', body: { name: 'after.zip' } });
  }, 90_000);
});
