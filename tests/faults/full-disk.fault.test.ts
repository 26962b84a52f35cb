import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type PocketBase from 'pocketbase';
import type { ClientResponseError, RecordModel } from 'pocketbase';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentProcess } from '../setup/agent-process';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { reaches, request, setUp } from '../setup/journey';

const WORDS = /^The console's disk is full\./;

describe.skipIf(process.getuid?.() !== 0)('a data folder without room', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-full-'));
  const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-agent-'));
  const ballast = path.join(folder, 'ballast');
  let berth: ConsoleProcess;
  let agent: AgentProcess;
  let pb: PocketBase;
  let host: RecordModel;
  let image: RecordModel;

  beforeAll(async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder]);
    berth = await startConsole({ dataDir: path.join(folder, 'data'), env: { BERTH_LOCAL_AGENT: 'off' } });
    pb = await setUp(berth.url);
    const { token } = await pb.send<{ token: string }>('/api/hosts/join-token', { method: 'POST', body: {} });
    agent = new AgentProcess({
      BERTH_CONSOLE_URL: berth.url,
      BERTH_JOIN_TOKEN: token,
      BERTH_HOST_NAME: 'full-disk',
      BERTH_AGENT_STATE_DIR: stateDir,
    });
    host = await eventually('the host is online', async () => {
      const [found] = await pb.collection('hosts').getFullList();
      return found?.status === 'online' && found.engine.liveLink ? found : undefined;
    });
    const values = { name: 'base', build_on: host.id, creationType: 'writeDockerfile', dockerfile: 'FROM scratch\n' };
    image = await pb.collection('images').create(values);
    await request(pb, 'image', image.id, 'build');
    await reaches(pb, { collection: 'images', id: image.id, status: 'build_finished' });
  });

  afterAll(async () => {
    await agent?.kill('SIGKILL');
    await berth?.kill('SIGKILL');
    execFileSync('umount', [folder]);
    for (const each of [folder, stateDir]) fs.rmSync(each, { recursive: true, force: true });
  });

  function fill(): void {
    const file = fs.openSync(ballast, 'w');
    try {
      for (const bytes of [65_536, 4096]) fillBy(file, bytes);
    } finally {
      fs.closeSync(file);
    }
  }

  function fillBy(file: number, bytes: number): void {
    try {
      for (;;) fs.writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  const refusalOf = (call: Promise<unknown>): Promise<{ status: number; message: string }> =>
    call.then(
      () => ({ status: 200, message: 'was taken' }),
      (error: ClientResponseError) => ({ status: error.status, message: String(error.response.message) }),
    );
  const health = async (): Promise<{ status: number; message: string }> => {
    const response = await fetch(`${berth.url}/api/health`);
    return { status: response.status, message: ((await response.json()) as { message: string }).message };
  };

  it('is said to people, loses no report of an agent, and needs nothing but room', async () => {
    const workspace = await pb.collection('workspaces').create({ name: 'kept', host: host.id, image: image.id });
    agent.signal('SIGSTOP');
    await request(pb, 'workspace', workspace.id, 'start');
    fill();
    agent.signal('SIGCONT');

    const change = { heartbeat_interval_seconds: 7 };
    const refused = await refusalOf(pb.collection('hosts').update(host.id, change));
    expect(refused).toEqual({ status: 400, message: expect.stringMatching(WORDS) as string });
    const black = { width: 300, height: 300, channels: 3, background: 'black' } as const;
    const picture = await sharp({ create: black }).png({ compressionLevel: 0 }).toBuffer();
    const upload = new FormData();
    upload.append('avatar', new Blob([picture]), 'me.png');
    const unstored = await refusalOf(pb.collection('users').update(pb.authStore.model!.id, upload));
    expect(unstored).toEqual({ status: 400, message: expect.stringMatching(WORDS) as string });
    expect(await health()).toEqual({ status: 503, message: expect.stringMatching(WORDS) as string });
    await eventually('a report is refused', () => berth.output().includes('/api/agent/report'));
    expect((await pb.collection('workspaces').getOne(workspace.id)).status).toBe('deployment_pending');

    fs.rmSync(ballast);
    await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
    const [deployment] = await pb.collection('deployments').getFullList({ filter: `workspace = "${workspace.id}"` });
    expect(deployment).toMatchObject({ status: 'succeeded' });
    expect((await pb.collection('hosts').update(host.id, change)).heartbeat_interval_seconds).toBe(7);
    await eventually('the console is healthy', async () => (await health()).status === 200);
  }, 60_000);
});
