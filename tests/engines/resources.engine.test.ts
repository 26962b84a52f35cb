import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { VolumeSpec } from '@/lib/protocol/specs/volume';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeHostSpec, makeWorkspaceSpec } from '../agent/specs';
import { buildBusybox, docker, dockerAbsence, listOurs, removeAll } from './docker-fixture';

const imageHost = `i${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${imageHost}:1`;
const SLEEP = 'exec /bin/busybox sleep 1000';

describe.skipIf(dockerAbsence !== '')('volumes and networks on Docker', () => {
  let hostId: string;
  let fixture: Fixture;
  let root: string;

  beforeAll(() => buildBusybox(imageHost, reference, []), 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    root = await mkdtemp(path.join(tmpdir(), 'berth-roots-'));
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId, { bindRoots: [root] });
  });
  afterEach(async () => {
    await fixture.close();
    await removeAll(hostId);
    await rm(root, { recursive: true, force: true });
  }, 60_000);

  const named = (): string => `berth-volume-${hostId}-v1`;
  const wantVolume = (id: string, overrides: Partial<VolumeSpec> = {}): void =>
    fixture.console.want(id, {
      kind: 'volume',
      spec: { pathOnHost: '', ownerId: 'ada', state: 'present', ...overrides },
    });
  const wantNetwork = (id: string): void => fixture.console.want(id, { kind: 'network', spec: { driver: 'bridge' } });
  const want = (id: string, script: string, overrides: Parameters<typeof makeWorkspaceSpec>[0] = {}): void => {
    const image = { reference, id: '', pull: false };
    const command = ['/bin/sh', '-c', script];
    fixture.console.want(id, {
      kind: 'workspace',
      spec: makeWorkspaceSpec({ name: `${hostId}-${id}`, image, command, ...overrides }),
    });
  };
  const mount = (volumeId: string, at: string, readOnly = false) => ({ volumeId, path: at, readOnly });
  const lookAgain = (): void => want('touch', SLEEP, { state: 'stopped', attempt: Math.floor(Math.random() * 1e6) });

  async function run(containerId: string, command: string): Promise<{ exitCode: number | null; text: string }> {
    const exec = await docker
      .getContainer(containerId)
      .exec({ Cmd: ['/bin/sh', '-c', command], AttachStdout: true, AttachStderr: true, Tty: true });
    const stream = await exec.start({ Tty: true });
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return { exitCode: (await exec.inspect()).ExitCode, text: text.trim() };
  }
  const up = async (id: string): Promise<string> =>
    (await fixture.console.untilStatus(id, 'running', 30_000)).containerId;
  const volumesNow = async () =>
    ((await docker.listVolumes({ filters: { label: [`berth.host=${hostId}`] } })).Volumes ?? []).map(
      ({ Name }) => Name,
    );
  const networksNow = async () =>
    (await docker.listNetworks({ filters: { label: [`berth.host=${hostId}`] } })).map(({ Name }) => Name);

  it('keep what was written over a redeploy, and what is read-only can only be read', async () => {
    const folder = path.join(root, 'ada', 'notes');
    wantVolume('v1');
    wantVolume('v2', { pathOnHost: folder });
    const mounts = [mount('v1', '/data'), mount('v2', '/notes')];
    want('w1', SLEEP, { mounts });
    const first = await up('w1');
    await run(first, 'echo kept > /data/a; echo here > /notes/b');
    expect(await readFile(path.join(folder, 'b'), 'utf8')).toBe('here\n');
    want('w1', SLEEP, { mounts: [mount('v1', '/data', true), mount('v2', '/notes', true)], generation: 2, remake: 2 });
    const next = await fixture.console.until(() => {
      const last = fixture.console.status('w1');
      return last?.status === 'running' && last.containerId !== first && last.containerId;
    }, 30_000);
    expect((await run(next, 'cat=/bin/busybox; $cat cat /data/a /notes/b')).text).toBe('kept\r\nhere');
    expect((await run(next, 'echo no > /data/a')).text).toMatch(/Read-only/);
    expect((await run(next, 'echo no > /notes/b')).text).toMatch(/Read-only/);
    expect(await volumesNow()).toEqual([named()]);
  }, 90_000);

  it('let two workspaces find each other by name, and a third not', async () => {
    wantNetwork('n1');
    want('w1', SLEEP, { networks: ['n1'], aliases: ['web'] });
    want('w2', SLEEP, { networks: ['n1'], aliases: ['db'] });
    want('w3', SLEEP, { aliases: ['alone'] });
    const [web, db, alone] = [await up('w1'), await up('w2'), await up('w3')];
    expect((await run(web, '/bin/busybox ping -c 1 -w 5 db || /bin/busybox nslookup db')).text).not.toMatch(
      /can't resolve|bad address/i,
    );
    expect((await run(db, '/bin/busybox nslookup web')).exitCode).toBe(0);
    expect((await run(alone, '/bin/busybox nslookup web')).exitCode).not.toBe(0);
    // Someone takes it off by hand: it is put back.
    await docker.getNetwork(`berth-network-${hostId}-n1`).disconnect({ Container: web, Force: true });
    lookAgain();
    for (let tries = 0; tries < 50; tries += 1) {
      const { NetworkSettings } = await docker.getContainer(web).inspect();
      if (NetworkSettings.Networks[`berth-network-${hostId}-n1`]) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
      lookAgain();
    }
    expect((await run(db, '/bin/busybox nslookup web')).exitCode).toBe(0);
    fixture.console.want('w1', null);
    fixture.console.want('w2', null);
    fixture.console.wantRaw({ kind: 'network', id: 'n1', spec: null });
    await fixture.console.untilResource('n1', 'absent');
    expect(await networksNow()).toEqual([]);
  }, 120_000);

  it('are made anew when somebody removed them by hand, which is said', async () => {
    wantVolume('v1');
    await fixture.console.untilResource('v1', 'created');
    wantVolume('v9');
    await fixture.console.untilResource('v9', 'created');
    await docker.getVolume(named()).remove();
    lookAgain();
    await fixture.console.until(() =>
      fixture.console.resources.some(
        ({ id, status, message }) => id === 'v1' && status === 'created' && /by hand/.test(message),
      ),
    );
    expect(await volumesNow()).toContain(named());
  }, 60_000);

  it('of a workspace that is down are found anew by name when it starts', async () => {
    wantNetwork('n1');
    const spec = { networks: ['n1'], aliases: ['web'] };
    want('w1', SLEEP, spec);
    const containerId = await up('w1');
    want('w1', SLEEP, { ...spec, state: 'stopped', attempt: 1 });
    await fixture.console.untilStatus('w1', 'stopped', 30_000);
    await docker.getNetwork(`berth-network-${hostId}-n1`).remove({ force: true } as never);
    expect(await networksNow()).toEqual([]);
    want('w1', SLEEP, { ...spec, attempt: 2 });
    await fixture.console.until(
      () => fixture.console.status('w1')?.attempt === 2 && fixture.console.status('w1')?.status === 'running',
      30_000,
    );
    expect(fixture.console.status('w1')?.containerId).toBe(containerId);
    expect((await run(containerId, '/bin/busybox nslookup web')).exitCode).toBe(0);
  }, 90_000);

  it('lose their data when that is said, and keep it otherwise', async () => {
    wantVolume('v1');
    wantVolume('v2');
    await fixture.console.untilResource('v2', 'created');
    await fixture.console.untilResource('v1', 'created');
    wantVolume('v1', { state: 'removed' });
    fixture.console.wantRaw({ kind: 'volume', id: 'v2', spec: null });
    await fixture.console.untilResource('v1', 'absent');
    await fixture.console.untilResource('v2', 'absent');
    expect(await volumesNow()).toEqual([`berth-volume-${hostId}-v2`]);
  }, 60_000);

  it('never lead out of the roots, nor into the folder of somebody else', async () => {
    await mkdir(path.join(root, 'ada'), { recursive: true });
    await mkdir(path.join(root, 'eve'), { recursive: true });
    await symlink('/etc', path.join(root, 'ada', 'out'));
    await symlink(path.join(root, 'eve'), path.join(root, 'ada', 'other'));
    await writeFile(path.join(root, 'ada', 'file'), '');
    const paths = {
      a1: [path.join(root, 'ada', 'out'), /leads out of/],
      a2: [path.join(root, 'ada', 'out', 'ssl'), /leads out of/],
      a3: [path.join(root, 'ada', 'other'), /leads out of/],
      a4: [path.join(root, 'bob', 'x'), /folder of its owner/],
      a5: [`${root}/ada/../../etc`, /none of the folders/],
      a6: ['/srv/../etc', /none of the folders/],
      a7: [`${root}/ada/\u0000`, /none of the folders/],
      a8: [`${root}x/ada`, /none of the folders/],
      a9: [path.join(root, 'ada', 'file'), /no folder/],
    } as const;
    for (const [id, [pathOnHost, words]] of Object.entries(paths)) {
      wantVolume(id, { pathOnHost });
      expect((await fixture.console.untilResource(id, 'error')).message).toMatch(words);
    }
    want('w1', SLEEP, { mounts: [mount('a1', '/data')] });
    expect((await fixture.console.untilStatus('w1', 'error')).message).toMatch(
      /The volume at \/data can't be used: .*leads out of/,
    );
    expect(await listOurs(hostId)).toEqual([]);
    // An admin of the host may loosen that, within the roots.
    fixture.console.want('host', { kind: 'host', spec: makeHostSpec({ sharedBindFolders: true }) });
    await fixture.console.untilResource('a4', 'created');
    wantVolume('b1', { pathOnHost: path.join(root, 'bob', 'x', 'inner') });
    expect((await fixture.console.untilResource('b1', 'error')).message).toMatch(/folder of another volume/);
  }, 60_000);

  it('that others made under our names or labels are left alone', async () => {
    const Labels = { 'berth.host': hostId, 'berth.kind': 'volume', 'berth.id': 'v2' };
    await docker.createVolume({ Name: `forged-${hostId}`, Labels });
    await docker.createVolume({ Name: named() });
    try {
      wantVolume('v1');
      wantVolume('v2');
      expect((await fixture.console.untilResource('v1', 'error')).message).toMatch(/is not ours/);
      await fixture.console.untilResource('v2', 'created');
      wantVolume('v2', { state: 'removed' });
      await fixture.console.untilResource('v2', 'absent');
      expect(await volumesNow()).toEqual([`forged-${hostId}`]);
    } finally {
      await docker.getVolume(named()).remove();
    }
  }, 60_000);

  it('survive another agent, which adopts them', async () => {
    wantVolume('v1');
    wantNetwork('n1');
    want('w1', SLEEP, { mounts: [mount('v1', '/data')], networks: ['n1'], aliases: ['web'] });
    const before = await up('w1');
    fixture.console.statuses.length = 0;
    await fixture.restartAgent(new DockerEngine({ dockerHost: '' }));
    expect(await up('w1')).toBe(before);
    expect(await listOurs(hostId)).toHaveLength(1);
    expect([await volumesNow(), await networksNow()]).toEqual([[named()], [`berth-network-${hostId}-n1`]]);
  }, 60_000);
});
