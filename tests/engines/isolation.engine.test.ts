import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { IsolationSpec } from '@/lib/protocol/specs/workspace';
import { makeWorkspaceSpec } from '../agent/specs';
import { buildBusybox, docker, dockerAbsence, removeAll } from './docker-fixture';

const imageHost = `i${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${imageHost}:1`;
const engine = new DockerEngine({ dockerHost: '' });
const usual: IsolationSpec = { ownerId: '', pidsLimit: 4096, allowNewPrivileges: false, keepNetRaw: false };
const LISTEN = 'while :; do echo secret | /bin/busybox nc -l -p 5432; done';

describe.skipIf(dockerAbsence !== '')('containers on Docker are kept apart', () => {
  let hostId: string;

  beforeAll(async () => {
    const lines = ['LABEL traefik.enable=true Traefik.HTTP.routers.x.rule=Host(`bank.example`) berth.extra=1 kept=yes'];
    await buildBusybox(imageHost, reference, [...lines, 'STOPSIGNAL SIGKILL']);
  }, 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(() => void (hostId = `h${randomUUID().slice(0, 8)}`));
  afterEach(() => removeAll(hostId), 60_000);

  function create(isolation: Partial<IsolationSpec>, script = 'exec /bin/busybox sleep 1000'): Promise<string> {
    const spec = makeWorkspaceSpec({ command: ['/bin/sh', '-c', script], isolation: { ...usual, ...isolation } });
    const name = `berth-test-${randomUUID()}`;
    const request = { name, hostId, workspaceId: 'w1', specHash: 'h', image: reference, spec, mounts: [], runtime: '' };
    return engine.createContainer(request);
  }

  async function run(isolation: Partial<IsolationSpec>, script?: string): Promise<string> {
    const containerId = await create(isolation, script);
    await engine.startContainer(containerId);
    return containerId;
  }

  const inspect = (id: string) => docker.getContainer(id).inspect();
  const addressOf = async (id: string) => Object.values((await inspect(id)).NetworkSettings.Networks)[0]!.IPAddress;
  const networks = () => docker.listNetworks({ filters: { label: [`berth.host=${hostId}`] } });

  async function runIn(id: string, script: string): Promise<{ exitCode: number; output: string }> {
    const Cmd = ['/bin/busybox', 'sh', '-c', script];
    const exec = await docker.getContainer(id).exec({ Cmd, AttachStdout: true, AttachStderr: true, Tty: true });
    const stream = await exec.start({ Tty: true });
    let output = '';
    for await (const chunk of stream) output += String(chunk);
    return { exitCode: (await exec.inspect()).ExitCode ?? -1, output };
  }

  it('an owner reaches what their other workspace does not publish, a stranger does not', async () => {
    const victim = await run({ ownerId: 'ada' }, LISTEN);
    const [friend, stranger] = [await run({ ownerId: 'ada' }), await run({ ownerId: 'mallory' })];
    const knock = `/bin/busybox timeout 3 /bin/busybox nc -w 2 ${await addressOf(victim)} 5432 </dev/null`;
    await expect.poll(async () => (await runIn(friend, knock)).output, { timeout: 10_000 }).toContain('secret');
    const refused = await runIn(stranger, knock);
    expect(refused.output).not.toContain('secret');
    expect(refused.exitCode).not.toBe(0);
    expect((await networks()).map(({ Name }) => Name).sort()).toEqual([
      `berth-${hostId}-ada`,
      `berth-${hostId}-mallory`,
    ]);
  }, 60_000);

  it("an owner's network goes with their last container, stopped ones count", async () => {
    const [first, second] = [await run({ ownerId: 'ada' }), await run({ ownerId: 'ada' })];
    await engine.stopContainer(second);
    await engine.removeContainer(first);
    expect(await networks()).toHaveLength(1);
    await engine.startContainer(second);
    await engine.removeContainer(second);
    expect(await networks()).toEqual([]);
  }, 60_000);

  it('owners are not counted by what the engine chooses, and leave its ranges alone', async () => {
    const owners = Array.from({ length: 40 }, (_, index) => `owner${index}`);
    for (const ownerId of owners) await create({ ownerId });
    const made = await networks();
    expect(made).toHaveLength(40);
    for (const { IPAM } of made) expect(IPAM?.Config?.[0]?.Subnet).toMatch(/^172\.30\.\d+\.0\/24$/);
  }, 120_000);

  it('what is left of a network goes when the agent looks anew', async () => {
    const gone = await run({ ownerId: 'ada' });
    await run({ ownerId: 'eve' });
    await docker.getContainer(gone).remove({ force: true });
    expect(await networks()).toHaveLength(2);
    const leaving = new AbortController();
    const handlers = { onReady: () => undefined, onEvent: () => undefined };
    const watching = engine.watch(hostId, handlers, leaving.signal);
    await expect.poll(async () => (await networks()).map(({ Name }) => Name)).toEqual([`berth-${hostId}-eve`]);
    leaving.abort();
    await watching;
  }, 60_000);

  it('a network is neither lost nor left when containers come and go at once', async () => {
    const gone = await run({ ownerId: 'ada' });
    const [, made] = await Promise.all([engine.removeContainer(gone), run({ ownerId: 'ada' })]);
    expect((await inspect(made)).State.Running).toBe(true);
    const spec = makeWorkspaceSpec({ isolation: { ...usual, ownerId: 'eve' } });
    const request = {
      name: '!',
      hostId,
      workspaceId: 'w1',
      specHash: 'h',
      image: reference,
      spec,
      mounts: [],
      runtime: '',
    };
    await expect(engine.createContainer(request)).rejects.toThrow();
    expect((await networks()).map(({ Name }) => Name)).toEqual([`berth-${hostId}-ada`]);
  }, 60_000);

  it('nothing in them gains rights, makes raw packets or forks without end, unless the host lets it', async () => {
    const strict = await run({ pidsLimit: 20 });
    expect((await inspect(strict)).HostConfig).toMatchObject({
      SecurityOpt: ['no-new-privileges'],
      CapDrop: ['NET_RAW'],
      PidsLimit: 20,
    });
    const status = 'while read line; do echo "$line"; done < /proc/self/status';
    expect((await runIn(strict, status)).output).toMatch(/NoNewPrivs:\s+1/);
    const ping = '/bin/busybox ping -c 1 -W 2 127.0.0.1';
    expect((await runIn(strict, ping)).exitCode).not.toBe(0);
    const bomb = 'for i in 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5; do /bin/busybox sleep 3 & done; wait';
    expect((await runIn(strict, bomb)).output).toMatch(/can't fork|Resource temporarily unavailable/);
    const loose = await run({ pidsLimit: 0, allowNewPrivileges: true, keepNetRaw: true });
    const { SecurityOpt, CapDrop, PidsLimit } = (await inspect(loose)).HostConfig;
    expect([SecurityOpt ?? [], CapDrop ?? [], PidsLimit ?? 0]).toEqual([[], [], 0]);
    expect((await runIn(loose, status)).output).toMatch(/NoNewPrivs:\s+0/);
    expect((await runIn(loose, ping)).exitCode).toBe(0);
  }, 60_000);

  it('labels of the image that steer other programs stand for nothing', async () => {
    const { Labels } = (await inspect(await run({}))).Config;
    expect(Labels).toMatchObject({ 'traefik.enable': 'false', 'Traefik.HTTP.routers.x.rule': '', kept: 'yes' });
    expect(Labels).toMatchObject({ 'berth.extra': '', 'berth.host': hostId, 'berth.kind': 'workspace' });
  }, 60_000);
});
