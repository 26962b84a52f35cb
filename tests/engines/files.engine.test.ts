import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { FileListing, OpenFiles } from '@/lib/protocol/file-streams';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeWorkspaceSpec } from '../agent/specs';
import { buildBusybox, docker, dockerAbsence, listOurs, removeAll } from './docker-fixture';

const run = promisify(execFile);
const imageHost = `i${randomUUID().slice(0, 8)}`;
const WHOLE = `berth-test/${imageHost}:whole`;
const BARE = `berth-test/${imageHost}:bare`;
const TREE = [
  'cd /srv',
  'mkdir -p sub/deep own',
  'echo hello > plain.txt',
  "echo odd > 'new\nline'",
  'echo dash > ./-rf',
  "printf x > $(printf 'bad\\377name')",
  'echo deep > sub/deep/down',
  'ln -s plain.txt link',
  'ln -s /srv/sub folderlink',
  'ln -s nowhere broken',
  'mkfifo pipe',
  'chown 1000:1000 own',
  'touch -d @1000000000 plain.txt',
].join('\n');
const APPLETS = ['find', 'stat', 'cat', 'tar', 'sleep'];
const LINES = [
  'STOPSIGNAL SIGKILL',
  'RUN ["/bin/busybox", "mkdir", "-p", "/srv", "/etc"]',
  `RUN ["/bin/busybox", "sh", "-c", ${JSON.stringify(`/bin/busybox --install -s /bin; ${TREE}`)}]`,
];

describe.skipIf(dockerAbsence !== '')('files on Docker', () => {
  let hostId: string;
  let fixture: Fixture;

  beforeAll(async () => {
    const others = `for f in /bin/*; do case $f in /bin/busybox|/bin/sh) ;; *) /bin/busybox rm -f $f;; esac; done`;
    const kept = APPLETS.map((name) => `/bin/busybox ln -s /bin/busybox /bin/${name}`).join('; ');
    const trim = (last: string) => `RUN ["/bin/busybox", "sh", "-c", ${JSON.stringify(`${others}; ${last}`)}]`;
    await buildBusybox(imageHost, WHOLE, [...LINES, trim(kept)]);
    await buildBusybox(imageHost, BARE, [...LINES, trim('/bin/busybox rm /bin/sh')]);
  }, 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId);
  });
  afterEach(async () => {
    await fixture.close();
    await removeAll(hostId);
  }, 60_000);

  const specOf = (reference: string, state: 'running' | 'stopped' = 'running') =>
    makeWorkspaceSpec({
      name: hostId,
      state,
      image: { reference, id: '', pull: false },
      command: ['/bin/busybox', 'sleep', '3600'],
    });

  /** A workspace that runs. Returns its container. */
  async function runs(reference: string): Promise<string> {
    fixture.console.want('w1', { kind: 'workspace', spec: specOf(reference) });
    const running = async () => (await listOurs(hostId)).find(({ State }) => State === 'running')?.Id;
    await vi.waitFor(async () => expect(await running()).toBeDefined(), { timeout: 20_000, interval: 50 });
    return (await running())!;
  }

  async function stops(reference: string): Promise<void> {
    fixture.console.want('w1', { kind: 'workspace', spec: specOf(reference, 'stopped') });
    await fixture.console.until(() => fixture.console.status('w1')?.status === 'stopped', 20_000);
  }

  type Asked = OpenFiles extends infer Open ? (Open extends OpenFiles ? Omit<Open, 'workspaceId'> : never) : never;

  async function open(asked: Asked): Promise<MuxStream> {
    const link = await fixture.console.until(() => fixture.console.link);
    return link.mux.open({ ...asked, workspaceId: 'w1' });
  }

  /** Everything that comes; rejects with the host's words. */
  function readAll(stream: MuxStream): Promise<Buffer> {
    const chunks: Buffer[] = [];
    return new Promise((resolve, reject) => {
      stream.listen({
        onData: (chunk) => {
          chunks.push(chunk);
          stream.consumed(chunk.length);
        },
        onEnd: () => resolve(Buffer.concat(chunks)),
        onError: (message) => reject(new Error(message)),
      });
    });
  }

  const answerOf = async (asked: Asked) => JSON.parse((await readAll(await open(asked))).toString()) as unknown;
  const list = async (path: string) => (await answerOf({ kind: 'fileList', path })) as FileListing;

  async function read(path: string): Promise<{ head: unknown; bytes: Buffer }> {
    const all = await readAll(await open({ kind: 'fileRead', path }));
    const end = all.indexOf(10);
    return { head: JSON.parse(all.toString('utf8', 0, end)) as unknown, bytes: all.subarray(end + 1) };
  }

  async function write(path: string, name: string, content: Buffer, replaces = false): Promise<unknown> {
    const stream = await open({ kind: 'fileWrite', path, name, size: content.length, replaces });
    const answer = readAll(stream);
    stream.write(content).catch(() => undefined);
    return JSON.parse((await answer).toString()) as unknown;
  }

  async function namesOfTar(bytes: Buffer): Promise<string[]> {
    const parser = extract();
    Readable.from([bytes]).pipe(parser as unknown as NodeJS.WritableStream);
    const names: string[] = [];
    for await (const entry of parser) {
      names.push(entry.header.name.replace(/^\.\//, ''));
      entry.resume();
    }
    return names.toSorted();
  }

  const KINDS = {
    'plain.txt': 'file',
    'new\nline': 'file',
    '-rf': 'file',
    'bad\uFFFDname': 'file',
    sub: 'folder',
    own: 'folder',
    link: 'link',
    folderlink: 'link',
    broken: 'link',
    pipe: 'other',
  };

  async function expectFiles(): Promise<void> {
    const { entries, ...folder } = await list('/bin/../srv/');
    expect(folder).toMatchObject({ kind: 'folder', isWhole: true });
    expect(Object.fromEntries(entries.map(({ name, kind }) => [name, kind]))).toEqual(KINDS);
    expect(entries.filter(({ isNameWhole }) => !isNameWhole).map(({ name }) => name)).toEqual(['bad\uFFFDname']);
    expect(entries.find(({ name }) => name === 'plain.txt')).toMatchObject({ size: 6, changed: 1_000_000_000 });
    expect((await list('/srv/folderlink')).entries.map(({ name }) => name)).toEqual(['deep']);
    expect(await list('/srv/link')).toMatchObject({ kind: 'file', size: 6, entries: [] });
    expect((await list('/')).entries.map(({ name }) => name)).toEqual(expect.arrayContaining(['srv', 'bin', 'etc']));
    expect((await list('/srv/own')).entries).toEqual([]);
    expect(await list('/nowhere')).toMatchObject({ refused: { code: 'missing' } });

    for (const path of ['/srv/plain.txt', '/srv/link', '/../srv/plain.txt']) {
      expect(await read(path)).toEqual({ head: { kind: 'file', size: 6 }, bytes: Buffer.from('hello\n') });
    }
    expect((await read('/srv/new\nline')).bytes.toString()).toBe('odd\n');
    expect((await read('/srv/-rf')).bytes.toString()).toBe('dash\n');
    const { head, bytes } = await read('/srv/sub');
    expect(head).toEqual({ kind: 'folder', size: null });
    expect(await namesOfTar(bytes)).toEqual(['sub/', 'sub/deep/', 'sub/deep/down']);
    expect((await read('/srv/pipe')).head).toMatchObject({ refused: { code: 'invalid' } });
    expect((await read('/srv/broken')).head).toMatchObject({ refused: { code: 'invalid' } });
  }

  it('lists, reads and writes in a container that runs', async () => {
    const containerId = await runs(WHOLE);
    await expectFiles();
    expect((await read('/dev/null')).head).toMatchObject({ refused: {} });
    const content = randomBytes(3_000_000);
    expect(await write('/srv/own', 'up\nload.bin', content)).toEqual({ written: content.length });
    const { stdout } = await run('docker', ['exec', containerId, 'stat', '-c', '%u %g %a %s', '/srv/own/up\nload.bin']);
    expect(stdout.trim()).toBe('1000 1000 644 3000000');
    expect((await read('/srv/own/up\nload.bin')).bytes.equals(content)).toBe(true);
    expect(await write('/srv', 'plain.txt', Buffer.from('x'))).toMatchObject({ refused: { code: 'exists' } });
    expect(await write('/srv', 'sub', Buffer.from('x'), true)).toMatchObject({ refused: { code: 'invalid' } });
    expect(await write('/srv/nowhere', 'a', Buffer.from('x'))).toMatchObject({ refused: { code: 'missing' } });
    expect(await write('/srv', '../etc/a', Buffer.from('x'))).toMatchObject({ refused: { code: 'invalid' } });
    expect(await write('/srv', 'plain.txt', Buffer.alloc(0), true)).toEqual({ written: 0 });
    expect((await list('/srv/plain.txt')).size).toBe(0);
  }, 60_000);

  it('does so in an image without a shell, and in a container that is down', async () => {
    await runs(BARE);
    await expectFiles();
    expect(await write('/srv/own', 'a', Buffer.from('bare'))).toEqual({ written: 4 });
    await stops(BARE);
    await expectFilesDown();
  }, 60_000);

  async function expectFilesDown(): Promise<void> {
    expect((await list('/srv/own')).entries).toMatchObject([{ name: 'a', size: 4 }]);
    expect((await read('/srv/own/a')).bytes.toString()).toBe('bare');
    expect(await write('/srv/own', 'b', Buffer.from('down'))).toEqual({ written: 4 });
    expect((await read('/srv/own/b')).bytes.toString()).toBe('down');
  }

  it('says that there is more where a folder is too large to be read through', async () => {
    const containerId = await runs(BARE);
    const make = 'mkdir /srv/big; dd if=/dev/zero of=/srv/big/a bs=1M count=300 2>/dev/null; echo > /srv/big/z';
    await run('docker', [
      'exec',
      containerId,
      '/bin/busybox',
      'sh',
      '-c',
      make.replace(/mkdir|dd/g, '/bin/busybox $&'),
    ]);
    const { entries, isWhole } = await list('/srv/big');
    expect({ names: entries.map(({ name }) => name), isWhole }).toEqual({ names: ['a'], isWhole: false });
  }, 60_000);

  it('holds no more than a window for a reader that does not read, and leaves the container free', async () => {
    const containerId = await runs(WHOLE);
    const make = 'dd if=/dev/zero of=/srv/large bs=1M count=400 2>/dev/null';
    await run('docker', ['exec', containerId, '/bin/busybox', 'sh', '-c', make.replace('dd', '/bin/busybox dd')]);
    const before = process.memoryUsage().rss;
    const stream = await open({ kind: 'fileRead', path: '/srv/large' });
    let got = 0;
    stream.listen({ onData: (chunk) => void (got += chunk.length) });
    await vi.waitFor(() => expect(got).toBeGreaterThan(200_000));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(got).toBeLessThanOrEqual(256 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    expect((await docker.getContainer(containerId).inspect()).State.Running).toBe(true);
    stream.cancel();
    // Another one that leaves before a byte has moved.
    (await open({ kind: 'fileRead', path: '/srv/large' })).cancel();
    const cats = async () =>
      (await run('docker', ['top', containerId])).stdout.split('\n').filter((l) => /cat/.test(l));
    await vi.waitFor(async () => expect(await cats()).toEqual([]), { timeout: 10_000, interval: 100 });
  }, 60_000);

  it('ends a download of a container that is down when that is to start', async () => {
    const containerId = await runs(WHOLE);
    const make = 'dd if=/dev/zero of=/srv/large bs=1M count=100 2>/dev/null';
    await run('docker', ['exec', containerId, '/bin/busybox', 'sh', '-c', make.replace('dd', '/bin/busybox dd')]);
    await stops(WHOLE);
    const stream = await open({ kind: 'fileRead', path: '/srv/large' });
    const failed = new Promise<string>((resolve) => stream.listen({ onData: () => undefined, onError: resolve }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    fixture.console.want('w1', { kind: 'workspace', spec: { ...specOf(WHOLE), generation: 1, attempt: 1 } });
    expect(await failed).toContain('needed the container');
    await fixture.console.until(() => fixture.console.status('w1')?.status === 'running', 20_000);
  }, 60_000);

  it('moves a large file both ways as it is, and leaves nothing of one that breaks off', async () => {
    await runs(WHOLE);
    const content = randomBytes(32 * 1024 * 1024);
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(await write('/srv', 'big', content)).toEqual({ written: content.length });
    expect(hash((await read('/srv/big')).bytes)).toBe(hash(content));
    const stream = await open({ kind: 'fileWrite', path: '/srv', name: 'half', size: 1000, replaces: false });
    await stream.write(Buffer.alloc(500));
    stream.cancel();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await list('/srv')).entries.map(({ name }) => name)).not.toContain('half');
  }, 60_000);
});
