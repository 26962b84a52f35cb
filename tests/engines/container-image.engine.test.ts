import { randomUUID } from 'node:crypto';
import type PocketBase from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsoleImage, CONSOLE_IMAGE, consoleImageCanBeBuilt } from '../setup/console-image';
import { eventually } from '../setup/console-process';
import { docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import {
  admin,
  buildImage,
  cleanHost,
  containersOf,
  isRunning,
  localHost,
  reaches,
  request,
  setUp,
  setupCodeIn,
  signIn,
} from '../setup/journey';

const BUILD_LIMIT_MS = 15 * 60_000;
const STEP_LIMIT_MS = 90_000;

/** Console and agent as `compose.yaml` runs them, and read-only besides; the steps build on each other. */
describe.skipIf(!engineIsThere() || !consoleImageCanBeBuilt())('the container image', () => {
  const name = `berth-test-${randomUUID().slice(0, 8)}`;
  const [consoleName, agentName] = [`${name}-console`, `${name}-agent`];
  let pb: PocketBase;
  let hostId = '';
  let workspaceId = '';

  beforeAll(async () => {
    await Promise.all([ensureBaseImage(), buildConsoleImage()]);
    await docker('network', 'create', name);
  }, BUILD_LIMIT_MS);

  afterAll(async () => {
    await docker('rm', '-f', agentName, consoleName).catch(() => undefined);
    if (hostId) await cleanHost(hostId);
    await docker('network', 'rm', name).catch(() => undefined);
    await docker('volume', 'rm', '-f', `${name}-data`, `${name}-join`, `${name}-state`);
  });

  /** Resolves with the console's address once the image's own health check is green. */
  async function runConsole(): Promise<string> {
    const volumes = ['-v', `${name}-data:/data`, '-v', `${name}-join:/join`];
    const settings = ['-e', 'BERTH_LOCAL_AGENT=off', '-e', 'BERTH_JOIN_TOKEN_FILE=/join/token'];
    const network = ['--network', name, '--network-alias', 'console', '-p', '127.0.0.1::3000'];
    await docker('run', '-d', '--read-only', '--name', consoleName, ...network, ...volumes, ...settings, CONSOLE_IMAGE);
    const read = (): Promise<string> => docker('inspect', '-f', '{{.State.Health.Status}}', consoleName);
    await eventually('the console is healthy', async () => (await read()) === 'healthy', 60_000);
    return `http://${await docker('port', consoleName, '3000')}`;
  }

  async function runAgent(): Promise<void> {
    const volumes = [`${name}-state:/state`, `${name}-join:/join:ro`, '/var/run/docker.sock:/var/run/docker.sock'];
    const settings = [
      'BERTH_CONSOLE_URL=http://console:3000',
      '-e',
      'BERTH_ALLOW_HTTP=1',
      'BERTH_HOST_NAME=local',
      'BERTH_JOIN_TOKEN_FILE=/join/token',
    ];
    await docker(
      ...['run', '-d', '--read-only', '--name', agentName, '--network', name, '--user', '0', '--no-healthcheck'],
      ...volumes.flatMap((each) => ['-v', each]),
      ...settings.flatMap((each) => ['-e', each]),
      ...[CONSOLE_IMAGE, 'node', '--enable-source-maps', 'dist/agent.mjs'],
    );
  }

  /** Stops a container as the engine does and resolves with the milliseconds that it took. */
  async function stop(container: string): Promise<number> {
    const sinceMs = Date.now();
    await docker('stop', '-t', '30', container);
    const tookMs = Date.now() - sinceMs;
    expect(await docker('inspect', '-f', '{{.State.ExitCode}}', container)).toBe('0');
    return tookMs;
  }

  it(
    'serves its pages as an ordinary user',
    async () => {
      const url = await runConsole();
      expect(await docker('exec', consoleName, 'id', '-u')).toBe('1000');
      const page = await fetch(`${url}/first-steps`);
      expect(page.status).toBe(200);
      const script = /\/_next\/static\/[^"]+\.js/.exec(await page.text())?.[0];
      expect((await fetch(`${url}${script}`)).status).toBe(200);
      pb = await setUp(url, setupCodeIn(await docker('logs', consoleName)));
    },
    STEP_LIMIT_MS,
  );

  it(
    'joins as an agent by the token that the console left, and runs a workspace on the real engine',
    async () => {
      await runAgent();
      const host = await localHost(pb);
      hostId = host.id;
      expect(host.engine.kind).toBe('docker');
      const image = await buildImage(pb, hostId, { name: 'contained' });
      const workspace = await pb
        .collection('workspaces')
        .create({ name: 'contained', host: hostId, image: image.id, enabled: true });
      workspaceId = workspace.id;
      await request(pb, 'workspace', workspaceId, 'start');
      await reaches(pb, { collection: 'workspaces', id: workspaceId, status: 'running' });
      const [container] = await containersOf(workspaceId);
      expect(await isRunning(container!)).toBe(true);
      const token = (): Promise<string> => docker('exec', consoleName, 'ls', '/join');
      await eventually('the console took the token back', async () => (await token()) === '', 40_000);
      // SQLite finds room for what it puts aside, although no folder of the system can be written.
      expect(await docker('logs', consoleName)).not.toContain('disk I/O error');
    },
    STEP_LIMIT_MS,
  );

  it(
    'stops within seconds and keeps its data for the next container',
    async () => {
      const before = await containersOf(workspaceId);
      expect(await stop(consoleName)).toBeLessThan(8000);
      await docker('rm', consoleName);
      const url = await runConsole();
      pb = await signIn(url, admin.username);
      await eventually('the agent is back', async () => {
        const host = await localHost(pb);
        return host.id === hostId && host.engine.liveLink;
      });
      await reaches(pb, { collection: 'workspaces', id: workspaceId, status: 'running' });
      expect(await containersOf(workspaceId)).toEqual(before);
    },
    STEP_LIMIT_MS,
  );

  it(
    'leaves workspaces running when the agent stops, and knows them again afterwards',
    async () => {
      const before = await containersOf(workspaceId);
      expect(await stop(agentName)).toBeLessThan(8000);
      expect(await isRunning(before[0]!)).toBe(true);
      await docker('rm', agentName);
      await runAgent();
      await localHost(pb);
      await request(pb, 'workspace', workspaceId, 'stop');
      await reaches(pb, { collection: 'workspaces', id: workspaceId, status: 'stopped' });
      expect(await containersOf(workspaceId)).toEqual(before);
    },
    STEP_LIMIT_MS,
  );
});
