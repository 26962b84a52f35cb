import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeWorkspaceSpec } from '../agent/specs';
import { docker, dockerAbsence, makeBusyboxBuild } from './docker-fixture';

const hostId = `d${randomUUID().slice(0, 8)}`;
const never = new AbortController().signal;
const quiet = { log: () => undefined, signal: never };

/** A daemon of the test's own, which it may stop. */
class PrivateDaemon {
  readonly socket: string;
  private child: ChildProcess | undefined;

  constructor(readonly root: string) {
    this.socket = path.join(root, 'docker.sock');
  }

  async start(): Promise<void> {
    const at = (name: string) => path.join(this.root, name);
    const options = [
      '--data-root',
      at('data'),
      '--exec-root',
      at('exec'),
      '--pidfile',
      at('pid'),
      '-H',
      `unix://${this.socket}`,
    ];
    // @NOTE A daemon without a bridge removes the machine's docker0, so this one gets a network namespace of its own.
    const isolated = ['--bridge=none', '--iptables=false', '--ip-masq=false', '--ip-forward=false'];
    this.child = spawn('unshare', ['--net', 'dockerd', ...options, ...isolated], { stdio: 'ignore' });
    const client = new Docker({ socketPath: this.socket });
    await vi.waitFor(() => client.ping(), { timeout: 30_000, interval: 200 });
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exited;
  }
}

describe.skipIf(dockerAbsence !== '')('a daemon that goes away', () => {
  let daemon: PrivateDaemon;
  let fixture: Fixture | undefined;

  beforeAll(async () => {
    daemon = new PrivateDaemon(await mkdtemp(path.join(tmpdir(), 'berth-dockerd-')));
    await daemon.start();
  }, 60_000);
  afterAll(async () => {
    await fixture?.close();
    await daemon.stop('SIGTERM');
    await rm(daemon.root, { recursive: true, force: true }).catch(() => undefined);
  }, 60_000);

  it('is reported in its own words, and its containers come back once, not more', async () => {
    const dockerHost = `unix://${daemon.socket}`;
    const engine = new DockerEngine({ dockerHost });
    const spec = makeBusyboxBuild('berth-test/daemon:1', []);
    await engine.build({ hostId, spec, auths: [] }, quiet);
    fixture = await createFixture(engine, hostId);
    const { console } = fixture;
    const command = ['/bin/sh', '-c', "trap 'exit 0' TERM; /bin/busybox sleep 1000 & wait"];
    const image = { reference: 'berth-test/daemon:1', id: '', pull: false };
    console.want('w1', { kind: 'workspace', spec: makeWorkspaceSpec({ image, command }) });
    const first = await console.untilStatus('w1', 'running');

    await daemon.stop('SIGTERM');
    await console.until(() => console.heartbeats.at(-1)?.engine.reachable === false, 15_000);
    expect(console.heartbeats.at(-1)?.engine.message).toContain("The Docker engine can't be reached");
    await daemon.start();
    const client = new Docker({ socketPath: daemon.socket });
    const states = async () => (await client.listContainers({ all: true })).map((entry) => [entry.Id, entry.State]);
    await expect.poll(states, { timeout: 20_000 }).toEqual([[first.containerId, 'running']]);
    await console.until(() => console.heartbeats.at(-1)?.engine.reachable, 15_000);
    expect(console.statuses.some((status) => status.status === 'error')).toBe(false);
  }, 90_000);
});

describe.skipIf(dockerAbsence !== '')('a registry with a sign-in', () => {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const address = `127.0.0.1:${port}`;
  const reference = `${address}/berth-test/pulled:1`;
  const auths = [{ serveraddress: address, username: 'user', password: 'secret' }];
  const engine = new DockerEngine({ dockerHost: '' });
  let registry: ChildProcess;
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'berth-registry-'));
    await mkdir(path.join(root, 'data'));
    const users = execFileSync('htpasswd', ['-Bbn', 'user', 'secret'], { encoding: 'utf8' });
    await writeFile(path.join(root, 'users'), users);
    const config = [
      'version: 0.1',
      `storage: {filesystem: {rootdirectory: ${root}/data}}`,
      `http: {addr: "${address}"}`,
      `auth: {htpasswd: {realm: test, path: ${root}/users}}`,
    ];
    await writeFile(path.join(root, 'config.yml'), config.join('\n'));
    registry = spawn('docker-registry', ['serve', path.join(root, 'config.yml')], { stdio: 'ignore' });
    const ask = async () => expect((await fetch(`http://${address}/v2/`)).status).toBe(401);
    await vi.waitFor(ask, { timeout: 10_000, interval: 100 });
    await engine.build({ hostId, spec: makeBusyboxBuild(reference, []), auths: [] }, quiet);
  }, 60_000);
  afterAll(async () => {
    registry.kill('SIGTERM');
    await docker
      .getImage(reference)
      .remove({ force: true })
      .catch(() => undefined);
    await rm(root, { recursive: true, force: true });
  });

  it('takes a push, and gives the image back to who may have it', async () => {
    await expect(engine.push(reference, [], quiet)).rejects.toThrow(/no basic auth credentials|unauthorized/);
    const pushed = await engine.push(reference, auths, quiet);
    expect(pushed.digest).toMatch(/^sha256:/);
    await engine.removeImage(reference);
    expect(await engine.findImage(reference)).toBeNull();
    await expect(engine.pull(reference, [], quiet)).rejects.toMatchObject({ isTransient: false });
    let log = '';
    const pulled = await engine.pull(reference, auths, { log: (text) => (log += text), signal: never });
    expect(pulled).toEqual(pushed);
    expect(log.split('\n').length).toBeLessThan(30);
    await expect(engine.pull(`${address}/berth-test/none:1`, auths, quiet)).rejects.toThrow(
      /manifest.*Check the image name/s,
    );
    await expect(engine.pull(`${address}/berth-test/none:1`, auths, quiet)).rejects.toMatchObject({
      kind: 'not-found',
    });
    await expect(engine.pull('127.0.0.1:9/none/none:1', auths, quiet)).rejects.toMatchObject({ isTransient: true });
  }, 60_000);

  it('tells whether it takes an account', async () => {
    const [account] = auths;
    await engine.signIn(account!);
    await engine.signIn({ ...account!, serveraddress: `http://${address}/v2/` });
    await expect(engine.signIn({ ...account!, password: 'another' })).rejects.toThrow(/unauthorized|authentication/i);
    await expect(engine.signIn({ ...account!, serveraddress: '127.0.0.1:9' })).rejects.toThrow(/connection refused/);
    // Nothing of it is kept: a push without an account is refused as before.
    await expect(engine.push(reference, [], quiet)).rejects.toThrow(/no basic auth credentials|unauthorized/);
  }, 60_000);

  it('tells what it has under a name now, which a later push changes', async () => {
    const pushed = await engine.push(reference, auths, quiet);
    expect(await engine.findRemoteDigest(reference, auths[0])).toBe(pushed.digest);
    await engine.build({ hostId, spec: makeBusyboxBuild(reference, ['ENV NEWER=1']), auths: [] }, quiet);
    const newer = await engine.push(reference, auths, quiet);
    expect(newer.digest).not.toBe(pushed.digest);
    expect(await engine.findRemoteDigest(reference, auths[0])).toBe(newer.digest);
    await expect(engine.findRemoteDigest(reference, undefined)).rejects.toThrow(
      /no basic auth credentials|unauthorized/,
    );
    await expect(engine.findRemoteDigest(`${address}/berth-test/none:1`, auths[0])).rejects.toThrow(/manifest unknown/);
  }, 60_000);

  it('signs in for the base image of a build', async () => {
    await engine.push(reference, auths, quiet);
    await engine.removeImage(reference);
    const target = `berth-test/${hostId}:based`;
    const spec = { ...makeBusyboxBuild(target, []), dockerfile: `FROM ${reference}\nRUN ["/bin/busybox", "true"]\n` };
    await engine.build({ hostId, spec, auths }, quiet);
    await engine.removeImage(target);
  }, 60_000);
});
