import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Readable } from 'node:stream';
import { type Header, pack, extract } from 'tar-stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { FileListing } from '@/lib/protocol/file-streams';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import type { OpenVolume } from '@/lib/protocol/volume-streams';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeWorkspaceSpec } from '../agent/specs';
import { buildBusybox, docker, dockerAbsence, listOurs, removeAll } from './docker-fixture';

const run = promisify(execFile);
type Entry = Partial<Header> & { name: string; content?: string };
const imageHost = `i${randomUUID().slice(0, 8)}`;
const IMAGE = `berth-test/${imageHost}:1`;

/** A tree with all that a volume may hold. */
const TREE = [
  'cd /v',
  'mkdir -p sub/deep own "odd\nname"',
  'echo hello > plain.txt',
  'echo q > "quo\'te\\"d"',
  "printf x > $(printf 'bad\\377name')",
  'echo deep > sub/deep/down',
  'chmod 4750 sub/deep/down',
  'ln -s plain.txt link',
  'ln -s /etc/passwd outlink',
  'ln -s /volume/../node nodelink',
  'ln -s ../../.. uplink',
  'ln -s sub folderlink',
  'ln plain.txt twin',
  'mkfifo pipe',
  'mknod null c 1 3',
  'chown 1000:1001 own plain.txt',
  'chown 33:34 .',
  'chmod 2771 .',
  'touch -d @1000000000 plain.txt sub',
].join('\n');
/** Bytes, owners, modes, times and links of all that is there. */
const LOOK = `cd /v; find . | sort | while IFS= read -r f; do stat -c '%n %F %a %u %g %h' "$f"; [ -f "$f" ] && sha256sum < "$f"; [ -L "$f" ] && readlink "$f"; done; stat -c '%Y' plain.txt sub; true`;

describe.skipIf(dockerAbsence !== '')('what is in volumes on Docker', () => {
  let hostId: string;
  let fixture: Fixture;
  let root: string;

  beforeAll(async () => {
    await buildBusybox(imageHost, IMAGE, ['STOPSIGNAL SIGKILL', 'RUN ["/bin/busybox", "--install", "-s", "/bin"]']);
  }, 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    root = await mkdtemp(path.join(tmpdir(), 'berth-binds-'));
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId, { bindRoots: [root] });
    await wantVolume('v1');
  }, 60_000);
  afterEach(async () => {
    await fixture.close();
    await removeAll(hostId);
    await rm(root, { recursive: true, force: true });
  }, 60_000);

  async function wantVolume(id: string, pathOnHost = ''): Promise<void> {
    fixture.console.want(id, { kind: 'volume', spec: { pathOnHost, ownerId: 'ada', state: 'present' } });
    await fixture.console.untilResource(id, 'created');
  }

  const nameOf = (id = 'v1') => `berth-volume-${hostId}-${id}`;
  async function sh(script: string, volume = nameOf()): Promise<string> {
    const { stdout } = await run('docker', [
      'run',
      '--rm',
      '--network=none',
      '-v',
      `${volume}:/v`,
      IMAGE,
      'sh',
      '-c',
      script,
    ]);
    return stdout;
  }

  type Asked = OpenVolume extends infer Open ? (Open extends OpenVolume ? Omit<Open, 'volumeId'> : never) : never;
  async function open(asked: Asked, volumeId = 'v1'): Promise<MuxStream> {
    const link = await fixture.console.until(() => fixture.console.link);
    return link.mux.open({ ...asked, volumeId } as OpenVolume);
  }

  /** Everything that comes, and the closing words; rejects with the host's. */
  function readAll(stream: MuxStream): Promise<{ bytes: Buffer; words: string }> {
    const chunks: Buffer[] = [];
    return new Promise((resolve, reject) => {
      stream.listen({
        onData: (chunk) => {
          chunks.push(chunk);
          stream.consumed(chunk.length);
        },
        onEnd: ({ message }) => resolve({ bytes: Buffer.concat(chunks), words: message }),
        onError: (message) => reject(new Error(message)),
      });
    });
  }

  const answerOf = async (asked: Asked, id?: string) =>
    JSON.parse((await readAll(await open(asked, id))).bytes.toString()) as Record<string, unknown>;
  const list = async (where: string, id?: string) =>
    (await answerOf({ kind: 'volumeList', path: where }, id)) as unknown as FileListing;
  const change = (wish: Extract<Asked, { kind: 'volumeChange' }>['change'], id?: string) =>
    answerOf({ kind: 'volumeChange', change: wish }, id);

  async function read(where: string, id?: string) {
    const { bytes: all, words } = await readAll(await open({ kind: 'volumeRead', path: where }, id));
    const end = all.indexOf(10);
    return { head: JSON.parse(all.toString('utf8', 0, end)) as unknown, bytes: all.subarray(end + 1), words };
  }

  async function write(where: string, name: string, content: Buffer, replaces = false): Promise<unknown> {
    const stream = await open({ kind: 'volumeWrite', path: where, name, size: content.length, replaces });
    const answer = readAll(stream);
    stream.write(content).catch(() => undefined);
    return JSON.parse((await answer).bytes.toString()) as unknown;
  }

  async function restore(tar: Buffer, size = tar.length): Promise<Record<string, unknown>> {
    const stream = await open({ kind: 'volumeRestore', size });
    const answer = readAll(stream);
    stream.write(tar).catch(() => undefined);
    return JSON.parse((await answer).bytes.toString()) as Record<string, unknown>;
  }

  async function tarOf(entries: Entry[]): Promise<Buffer> {
    const archive = pack();
    for (const { content = '', ...header } of entries) archive.entry(header, content);
    archive.finalize();
    const parts: Buffer[] = [];
    for await (const part of archive as AsyncIterable<Buffer>) parts.push(part);
    return Buffer.concat(parts);
  }

  const helpers = () =>
    docker.listContainers({ all: true, filters: { label: [`berth.host=${hostId}`, 'berth.kind=volume-helper'] } });

  it('is listed and read, whatever the names, and no link leads out', async () => {
    await sh(TREE);
    const { entries, ...folder } = await list('/a/..//');
    expect(folder).toMatchObject({ kind: 'folder', isWhole: true });
    const kinds = Object.fromEntries(entries.map(({ name, kind }) => [name, kind]));
    expect(kinds).toMatchObject({
      'odd\nname': 'folder',
      'quo\'te"d': 'file',
      pipe: 'other',
      null: 'device',
      outlink: 'link',
    });
    expect(entries.filter(({ isNameWhole }) => !isNameWhole).map(({ name }) => name)).toEqual(['bad\uFFFDname']);
    expect(entries.find(({ name }) => name === 'plain.txt')).toMatchObject({ size: 6, changed: 1_000_000_000 });
    expect((await list('/folderlink')).entries.map(({ name }) => name)).toEqual(['deep']);
    expect(await list('/nowhere')).toMatchObject({ refused: { code: 'missing' } });
    for (const where of ['/uplink', '/nodelink', '/uplink/node']) {
      expect(await list(where)).toMatchObject({
        refused: { code: 'invalid', message: expect.stringContaining('leads out') as string },
      });
      expect((await read(where)).head).toMatchObject({ refused: { code: 'invalid' } });
    }
    expect((await read('/outlink')).head).toMatchObject({
      refused: { message: expect.stringContaining('leads nowhere') as string },
    });
    for (const where of ['/plain.txt', '/link', '/../../plain.txt']) {
      expect(await read(where)).toMatchObject({ head: { kind: 'file', size: 6 }, bytes: Buffer.from('hello\n') });
    }
    expect((await read('/null')).head).toMatchObject({ refused: { code: 'invalid' } });
    expect((await read('/quo\'te"d')).bytes.toString()).toBe('q\n');
  }, 60_000);

  it('takes files and folders, renames and removes them', async () => {
    await sh(TREE);
    const content = randomBytes(3_000_000);
    expect(await write('/own', 'up\nload', content)).toEqual({ written: content.length });
    expect(await sh(`stat -c '%u %g %a %s' '/v/own/up\nload'`)).toBe('1000 1001 644 3000000\n');
    expect((await read('/own/up\nload')).bytes.equals(content)).toBe(true);
    expect(await write('/', 'plain.txt', Buffer.from('x'))).toMatchObject({ refused: { code: 'exists' } });
    expect(await write('/uplink', 'a', Buffer.from('x'))).toMatchObject({ refused: { code: 'invalid' } });
    expect(await change({ act: 'makeFolder', path: '/own', name: 'n"e\nw' })).toEqual({ done: true });
    expect(await sh(`stat -c '%u %g %a' '/v/own/n"e\nw'`)).toBe('1000 1001 755\n');
    expect(await change({ act: 'makeFolder', path: '/own', name: 'n"e\nw' })).toMatchObject({
      refused: { code: 'exists' },
    });
    expect(await change({ act: 'makeFolder', path: '/', name: '../x' })).toMatchObject({
      refused: { code: 'invalid' },
    });
    expect(await change({ act: 'move', path: '/link', to: '/sub/moved' })).toEqual({ done: true });
    expect(await sh('readlink /v/sub/moved; cat /v/plain.txt')).toBe('plain.txt\nhello\n');
    expect(await change({ act: 'move', path: '/plain.txt', to: '/twin' })).toMatchObject({
      refused: { code: 'exists' },
    });
    expect(await change({ act: 'move', path: '/sub', to: '/sub/deep/in' })).toMatchObject({
      refused: { code: 'invalid' },
    });
    expect(await change({ act: 'move', path: '/plain.txt', to: '/uplink/out' })).toMatchObject({
      refused: { code: 'invalid' },
    });
    expect(await change({ act: 'remove', path: '/' })).toMatchObject({ refused: { code: 'invalid' } });
    expect(await change({ act: 'remove', path: '/uplink/volume' })).toMatchObject({ refused: { code: 'invalid' } });
    expect(await change({ act: 'remove', path: '/folderlink' })).toEqual({ done: true });
    expect(await change({ act: 'remove', path: '/uplink' })).toEqual({ done: true });
    expect(await change({ act: 'remove', path: '/sub' })).toEqual({ done: true });
    expect(await sh('cd /v; ls -A | grep -c -e sub -e berth -e uplink; cat plain.txt')).toBe('0\nhello\n');
  }, 60_000);

  it('is told by its size, a folder of the host as well', async () => {
    await sh('dd if=/dev/zero of=/v/a bs=1M count=7 2>/dev/null');
    const folder = path.join(root, 'ada', 'bound');
    await wantVolume('v2', folder);
    await writeFile(path.join(folder, 'a'), Buffer.alloc(5_000_000, 1));
    const { volumes } = await answerOf({ kind: 'volumeSizes', volumeIds: ['v1', 'v2', 'nosuch'] } as never);
    expect(volumes).toEqual([
      { volumeId: 'v1', sizeBytes: 7 * 1024 * 1024, isWhole: true },
      { volumeId: 'v2', sizeBytes: expect.closeTo(5_000_000, -4) as number, isWhole: true },
    ]);
  }, 60_000);

  it('shows a folder of the host under the bind roots and nothing else', async () => {
    const folder = path.join(root, 'ada', 'bound');
    await wantVolume('v2', folder);
    await writeFile(path.join(root, 'secret'), 'secret');
    await mkdir(path.join(folder, 'sub'));
    await symlink('../../../secret', path.join(folder, 'sub', 'out'));
    await symlink('/etc', path.join(folder, 'etc'));
    expect((await list('/', 'v2')).entries.map(({ name }) => name).toSorted()).toEqual(['etc', 'sub']);
    // To the helper it leads nowhere, as there is nothing of the host.
    expect(await list('/sub/out', 'v2')).toMatchObject({ kind: 'link', entries: [] });
    for (const where of ['/etc', '/etc/passwd']) expect(await list(where, 'v2')).toHaveProperty('refused');
    for (const where of ['/sub/out', '/etc']) expect((await read(where, 'v2')).head).toHaveProperty('refused');
    await rm(folder, { recursive: true });
    await symlink('/etc', folder);
    expect(await list('/', 'v2')).toHaveProperty('refused');
    expect(await list('/', 'never')).toMatchObject({ refused: { code: 'busy' } });
  }, 60_000);

  it('comes back from its tar with the same bytes, owners, modes, times and links', async () => {
    await sh(TREE);
    const before = await sh(LOOK);
    const { head, bytes, words } = await read('/');
    expect(head).toEqual({ kind: 'folder', size: null });
    expect(words).toBe('1');
    await sh('cd /v; rm -rf ./* ; chown 0:0 .; chmod 700 .; echo new > other; mkdir plain.txt');
    expect(await restore(bytes)).toEqual({ entries: expect.any(Number) as number });
    const after = await sh(LOOK);
    expect(after).toBe(
      before
        .split('\n')
        .filter((line) => !line.startsWith('./null '))
        .join('\n'),
    );
    expect(await sh('ls -A /v | grep -c berth; true')).toBe('0\n');
  }, 90_000);

  it('refuses a tar that means anything but what is below, and leaves all as it was', async () => {
    await sh('echo kept > /v/kept');
    const bad: [string, Entry[]][] = [
      ['absolute', [{ name: '/abs', content: 'x' }]],
      ['leads out', [{ name: 'a/../../out', content: 'x' }]],
      ['device', [{ name: 'dev', type: 'block-device', devmajor: 8, devminor: 0 }]],
      [
        'through a link',
        [
          { name: 'l', type: 'symlink', linkname: '/' },
          { name: 'l/x', content: 'x' },
        ],
      ],
      ['leads out', [{ name: 'h', type: 'link', linkname: '../../node' }]],
      ['absolute', [{ name: 'h', type: 'link', linkname: '/node' }]],
      ['', [{ name: 'h', type: 'link', linkname: 'nosuch' }]],
    ];
    for (const [words, entries] of bad) {
      const answer = await restore(await tarOf([{ name: 'first', content: 'x' }, ...entries]));
      expect(answer, words).toMatchObject({ refused: { message: expect.stringContaining(words) as string } });
    }
    const good = await tarOf([{ name: 'first', content: 'x'.repeat(5000) }]);
    const lies = Buffer.from(good);
    lies.write('00000077777\0', 124);
    for (const [tar, words] of [
      [lies, 'damaged'],
      [good.subarray(0, 1500), 'broke off'],
      [Buffer.from('no tar'.repeat(1000)), 'no tar'],
    ] as const) {
      expect(await restore(tar)).toMatchObject({
        refused: { code: 'invalid', message: expect.stringContaining(words) as string },
      });
    }
    const stream = await open({ kind: 'volumeRestore', size: 5_000_000 });
    await stream.write(good.subarray(0, 2000));
    await new Promise((resolve) => setTimeout(resolve, 300));
    stream.cancel();
    await vi.waitFor(async () => expect(await sh('cd /v; find . -mindepth 1; cat kept')).toBe('./kept\nkept\n'), {
      timeout: 10_000,
    });
  }, 90_000);

  it('is not restored under a container that runs, and says which', async () => {
    const tar = await tarOf([{ name: 'new', content: 'x' }]);
    fixture.console.want('w1', {
      kind: 'workspace',
      spec: makeWorkspaceSpec({
        name: hostId,
        image: { reference: IMAGE, id: '', pull: false },
        command: ['/bin/busybox', 'sleep', '3600'],
        mounts: [{ volumeId: 'v1', path: '/data', readOnly: true }],
      }),
    });
    await vi.waitFor(async () => expect((await listOurs(hostId)).some(({ State }) => State === 'running')).toBe(true), {
      timeout: 20_000,
    });
    expect(await restore(tar)).toMatchObject({
      refused: { code: 'busy', message: expect.stringContaining('berth-') as string },
    });
    // Written from outside all the same: the right is the volume's, whatever the workspace may.
    expect(await write('/', 'a', Buffer.from('x'))).toEqual({ written: 1 });
  }, 60_000);

  it('shows ten thousand files in one folder', async () => {
    await sh('cd /v; i=0; while [ $i -lt 10000 ]; do : > file-$i; i=$((i+1)); done');
    const began = performance.now();
    const { entries, isWhole } = await list('/');
    expect({ count: entries.length, isWhole }).toEqual({ count: 10_000, isWhole: true });
    expect(performance.now() - began).toBeLessThan(10_000);
  }, 60_000);

  it('hands out 300 MB in a window’s memory', async () => {
    await sh('dd if=/dev/urandom of=/v/big bs=1M count=300 2>/dev/null');
    const sum = (await sh('sha256sum < /v/big')).slice(0, 64);
    await list('/');
    const before = process.memoryUsage().rss;
    let peak = 0;
    const hash = createHash('sha256');
    const stream = await open({ kind: 'volumeRead', path: '/big' });
    let isHead = true;
    await new Promise<void>((resolve, reject) => {
      stream.listen({
        onData: (chunk) => {
          hash.update(isHead ? chunk.subarray(chunk.indexOf(10) + 1) : chunk);
          isHead = false;
          peak = Math.max(peak, process.memoryUsage().rss);
          stream.consumed(chunk.length);
        },
        onEnd: () => resolve(),
        onError: (message) => reject(new Error(message)),
      });
    });
    expect(hash.digest('hex')).toBe(sum);
    expect(peak - before).toBeLessThan(150 * 1024 * 1024);
  }, 90_000);

  it('leaves nothing behind when the agent is killed in the middle of it', async () => {
    await sh('dd if=/dev/zero of=/v/big bs=1M count=200 2>/dev/null; echo kept > /v/kept');
    await fixture.agent.stop();
    const script = `import { DockerEngine } from './agent/engines/docker/docker-engine.ts';
const engine = new DockerEngine({ dockerHost: '' });
const volume = { hostId: '${hostId}', id: 'v1', folder: '' };
const bytes = await engine.volumeFiles.read(volume, { path: '/', kind: 'folder' }, new AbortController().signal);
bytes.once('readable', () => console.log('reading'));
const { PassThrough } = await import('node:stream');
const slow = new PassThrough();
engine.volumeFiles.restore(volume, { bytes: slow, rest: () => ({ links: [] }) }, new AbortController().signal).catch(() => undefined);
setInterval(() => undefined, 1000);`;
    const agent = spawn('npx', ['tsx', '--eval', script, '--input-type=module'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    await new Promise((resolve) => agent.stdout.once('data', resolve));
    await vi.waitFor(async () => expect(await sh('ls -A /v')).toContain('.berth-restore-'), { timeout: 10_000 });
    expect(await helpers()).toHaveLength(1);
    process.kill(-agent.pid!, 'SIGKILL');
    await vi.waitFor(async () => expect(await helpers()).toEqual([]), { timeout: 20_000, interval: 200 });
    expect(await sh('ls -A /v')).toBe('big\nkept\n');
  }, 90_000);

  it.each([
    ['taken back where not all that was there had left', 'leaving', 'rest', 'new\n', 'old\nrest\n'],
    ['done to its end where it had', 'arriving', 'rest', 'new\n', 'new\nrest\n'],
  ])(
    'is whole after a power loss in a swap: %s',
    async (_, word, there, staged, whole) => {
      const hex = '0123456789abcdef';
      await sh(
        `cd /v; mkdir .berth-${word}-${hex} .berth-restore-${hex}; echo x > ${there}; ` +
          `echo x > .berth-${word}-${hex}/old; echo x > .berth-restore-${hex}/${staged.trim()}; sleep 11`,
      );
      await list('/');
      const shown = await sh('ls /v');
      expect(shown).toBe(whole);
    },
    90_000,
  );

  it('goes with its data though it was looked into a moment ago', async () => {
    await list('/');
    expect(await helpers()).toHaveLength(1);
    fixture.console.want('v1', { kind: 'volume', spec: { pathOnHost: '', ownerId: 'ada', state: 'removed' } });
    await fixture.console.untilResource('v1', 'absent');
    expect(await helpers()).toEqual([]);
  }, 60_000);

  it('is downloaded as a tar that other programs read', async () => {
    await sh('mkdir -p /v/a/b; echo 1 > /v/a/b/c');
    const names: string[] = [];
    const parser = extract();
    Readable.from([(await read('/a')).bytes]).pipe(parser as unknown as NodeJS.WritableStream);
    for await (const entry of parser) {
      names.push(entry.header.name);
      entry.resume();
    }
    expect(names.toSorted()).toEqual(['a/', 'a/b/', 'a/b/c']);
  }, 60_000);
});
