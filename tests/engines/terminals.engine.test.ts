import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeWorkspaceSpec } from '../agent/specs';
import { type AskedTerminal, makeOpen, TerminalReader } from '../agent/terminal-reader';
import { buildBusybox, docker, dockerAbsence, listOurs, removeAll } from './docker-fixture';

const run = promisify(execFile);
const imageHost = `i${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${imageHost}:1`;
const SHELLLESS = `berth-test/${imageHost}:shellless`;
const APPLETS = ['stty', 'sleep', 'cat', 'id', 'seq', 'yes', 'setsid', 'kill'];
const LINES = [
  'STOPSIGNAL SIGKILL',
  ...APPLETS.map((name) => `COPY busybox /bin/${name}`),
  'RUN ["/bin/busybox", "mkdir", "-p", "/etc"]',
  'RUN ["/bin/busybox", "sh", "-c", "echo root:x:0:0::/:/bin/sh > /etc/passwd; echo mara:x:1000:1000::/:/bin/sh >> /etc/passwd"]',
  'WORKDIR /srv',
];

describe.skipIf(dockerAbsence !== '')('terminals on Docker', () => {
  let hostId: string;
  let fixture: Fixture;

  beforeAll(() => buildBusybox(imageHost, reference, LINES), 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId);
  });
  afterEach(async () => {
    await fixture.close();
    await removeAll(hostId);
  }, 60_000);

  /** A workspace that runs. Returns its container. */
  async function runs(script = 'exec sleep 3600', image = reference): Promise<string> {
    fixture.console.want('w1', {
      kind: 'workspace',
      spec: makeWorkspaceSpec({
        name: hostId,
        image: { reference: image, id: '', pull: false },
        command: ['/bin/sh', '-c', script],
      }),
    });
    return runningContainer();
  }

  async function runningContainer(): Promise<string> {
    const running = async () => (await listOurs(hostId)).find(({ State }) => State === 'running')?.Id;
    await vi.waitFor(async () => expect(await running()).toBeDefined(), { timeout: 20_000, interval: 50 });
    return (await running())!;
  }

  async function open(asked: AskedTerminal): Promise<TerminalReader> {
    const link = await fixture.console.until(() => fixture.console.link);
    return new TerminalReader(link.mux.open(makeOpen(asked)));
  }

  const processes = async (containerId: string) =>
    (await run('docker', ['top', containerId])).stdout.trim().split('\n').length - 1;
  const shows = (reader: TerminalReader, words: string | RegExp) =>
    vi.waitFor(() => expect(reader.text).toMatch(words), { timeout: 10_000, interval: 20 });

  it('types UTF-8, resizes, and ends with the code of the shell', async () => {
    await runs();
    const shell = await open({ kind: 'exec', session: 's1', cols: 101, rows: 33 });
    await vi.waitFor(
      () => expect(shell.find('begin')).toMatchObject({ isNew: true, program: 'ash', takesInput: true }),
      10_000,
    );
    shell.type('echo "grüße 你好 $((6 * 7))"\r');
    await shows(shell, /grüße 你好 42\r\n/);
    shell.type('stty size; echo $TERM $LANG\r');
    await shows(shell, '33 101\r\nxterm-256color C.UTF-8');
    shell.stream.resize({ cols: 70, rows: 20 });
    await vi.waitFor(() => expect(shell.find('size')).toMatchObject({ cols: 70, rows: 20 }));
    shell.type('stty size\r');
    await shows(shell, '20 70');
    shell.type('exit 7\r');
    expect(await shell.ended).toEqual({ code: 7, message: '' });
  }, 60_000);

  it('runs a command as a user in a folder', async () => {
    await runs();
    const shell = await open({
      kind: 'exec',
      session: 's1',
      command: 'id -un; pwd; echo "$0 done"',
      user: '1000',
      workdir: '/bin',
    });
    expect(await shell.ended).toEqual({ code: 0, message: '' });
    expect(shell.text).toContain('mara\r\n/bin\r\n');
    const nobody = await open({ kind: 'exec', session: 's2', user: 'nosuchuser' });
    await nobody.ended;
    expect(nobody.find('refused')).toMatchObject({
      code: 'failed',
      message: expect.stringContaining('nosuchuser') as string,
    });
  }, 60_000);

  it('leaves no process when the session ends, in front or behind, of whatever user', async () => {
    const containerId = await runs();
    const before = await processes(containerId);
    const shell = await open({ kind: 'exec', session: 's1', user: '1000' });
    shell.type("(trap '' HUP; sleep 1000) & sleep 1001 & sleep 1002\r");
    await vi.waitFor(async () => expect(await processes(containerId)).toBeGreaterThan(before + 3), { timeout: 10_000 });
    shell.stream.end();
    await vi.waitFor(async () => expect(await processes(containerId)).toBe(before), { timeout: 15_000, interval: 200 });
  }, 60_000);

  it('leaves no process behind a shell that was left, but what took a session of its own', async () => {
    const containerId = await runs();
    const before = await processes(containerId);
    const shell = await open({ kind: 'exec', session: 's1' });
    await shows(shell, '#');
    shell.type('setsid sleep 1003 & sleep 1004 &\r');
    await vi.waitFor(async () => expect(await processes(containerId)).toBe(before + 3), { timeout: 10_000 });
    shell.type('exit\r');
    expect(await shell.ended).toMatchObject({ code: 0 });
    await vi.waitFor(async () => expect(await processes(containerId)).toBe(before + 1), {
      timeout: 15_000,
      interval: 200,
    });
  }, 60_000);

  it('runs a command in an image without a shell, and interrupts it at the end', async () => {
    await buildBusybox(imageHost, SHELLLESS, [...LINES, 'RUN ["/bin/busybox", "rm", "/bin/sh"]']);
    fixture.console.want('w1', {
      kind: 'workspace',
      spec: makeWorkspaceSpec({
        name: hostId,
        image: { reference: SHELLLESS, id: '', pull: false },
        command: ['/bin/sleep', '3600'],
      }),
    });
    const containerId = await runningContainer();
    const before = await processes(containerId);
    const shell = await open({ kind: 'exec', session: 's1' });
    await shell.ended;
    expect(shell.find('refused')).toMatchObject({ message: expect.stringContaining('has no shell') as string });
    const cat = await open({ kind: 'exec', session: 's2', command: 'cat -', words: ['cat', '-'] });
    await vi.waitFor(() => expect(cat.find('begin')).toBeDefined(), 10_000);
    cat.type('miau\r');
    await shows(cat, /miau\r\nmiau\r\n/);
    cat.stream.end();
    await vi.waitFor(async () => expect(await processes(containerId)).toBe(before), { timeout: 10_000, interval: 200 });
  }, 60_000);

  it('lives on without a viewer and gives back what was missed; a later account sees from now on', async () => {
    await runs();
    const first = await open({ kind: 'exec', session: 's1' });
    first.type('echo secret-$((1 + 1))\r');
    await shows(first, 'secret-2');
    first.type('sleep 1; echo la""ter\r');
    first.stream.cancel();
    const again = await open({ kind: 'exec', session: 's1', isNew: false, from: first.bytes });
    await shows(again, /later\r\n/);
    expect(again.text).not.toContain('secret');
    const reloaded = await open({ kind: 'exec', session: 's1', isNew: false });
    await shows(reloaded, /secret-2[^]*later\r\n/);
    const other = await open({ kind: 'exec', session: 's1', isNew: false, viewer: 'priya' });
    await vi.waitFor(() => expect(other.find('begin')).toMatchObject({ owner: 'mara', isNew: false }));
    reloaded.type('echo bo""th\r');
    await shows(other, /both\r\n/);
    expect(other.text).not.toContain('secret');
    const gone = await open({ kind: 'exec', session: 's9', isNew: false });
    await gone.ended;
    expect(gone.find('refused')).toMatchObject({ code: 'gone' });
  }, 60_000);

  it('is not held up by a viewer that does not read, who misses what is forgotten', async () => {
    await runs();
    const quick = await open({ kind: 'exec', session: 's1' });
    await shows(quick, '#');
    const stuck = await open({ kind: 'exec', session: 's1', isNew: false });
    stuck.isReading = false;
    quick.type('yes 0123456789 & sleep 2; kill %1; echo do""ne\r');
    await shows(quick, /done\r\n/);
    expect(quick.bytes).toBeGreaterThan(3_000_000);
  }, 60_000);

  it('attaches to the process of the container, with the ends of lines put right', async () => {
    await runs('while sleep 0.2; do echo tick; echo tock >&2; done');
    const attached = await open({ kind: 'attach', session: 's1' });
    await shows(attached, /tick\r\ntock\r\n/);
    expect(attached.text).not.toMatch(/[^\r]\n/);
    expect(attached.find('begin')).toMatchObject({ program: '/bin/sh', takesInput: true });
    attached.stream.end();
    await vi.waitFor(() => expect(attached.stream.isClosed).toBe(true));
    expect(await listOurs(hostId)).toMatchObject([{ State: 'running' }]);
  }, 60_000);

  it('types to the process of the container, again after whoever typed has left', async () => {
    await runs('while read line; do echo "got <$line>"; done; echo at its end; exec sleep 3600');
    for (const word of ['grüße', 'again']) {
      const attached = await open({ kind: 'attach', session: `s-${word}` });
      await vi.waitFor(() => expect(attached.find('begin')).toBeDefined());
      attached.type(`${word}\r`);
      await shows(attached, new RegExp(`got <${word}>\r\n`));
      expect(attached.text).not.toContain('at its end');
      attached.stream.end();
      await vi.waitFor(() => expect(attached.stream.isClosed).toBe(true));
    }
  }, 60_000);

  it('adopts a container that was made without input as it is, and says that it takes none', async () => {
    const made = docker.getContainer(await runs('while sleep 0.2; do echo tick; done'));
    const { Name, Config, HostConfig } = await made.inspect();
    await fixture.agent.stop();
    await made.remove({ force: true });
    const { Image, Cmd, Labels } = Config;
    const name = Name.slice(1);
    const older = await docker.createContainer({ name, Image, Cmd, Labels, HostConfig, OpenStdin: false });
    await older.start();
    await fixture.restartAgent(new DockerEngine({ dockerHost: '' }));
    const attached = await open({ kind: 'attach', session: 's1' });
    await shows(attached, /tick\r\n/);
    expect(attached.find('begin')).toMatchObject({ takesInput: false });
    expect(await listOurs(hostId)).toMatchObject([{ Id: older.id, State: 'running' }]);
  }, 60_000);

  it('ends with the container, and says so of one that is down', async () => {
    const containerId = await runs();
    const shell = await open({ kind: 'exec', session: 's1' });
    const attached = await open({ kind: 'attach', session: 's2' });
    await shows(shell, '#');
    fixture.console.want('w1', {
      kind: 'workspace',
      spec: makeWorkspaceSpec({
        name: hostId,
        image: { reference, id: '', pull: false },
        running: false,
        generation: 2,
      } as never),
    });
    execFileSync('docker', ['kill', containerId]);
    expect(await shell.ended).toMatchObject({ code: 137 });
    expect(await attached.ended).toMatchObject({ code: 137 });
  }, 60_000);

  it('ends what an agent that was killed has left', async () => {
    const containerId = await runs();
    const before = await processes(containerId);
    const shell = await open({ kind: 'exec', session: 's1' });
    await shows(shell, '#');
    shell.type('sleep 1005\r');
    await vi.waitFor(async () => expect(await processes(containerId)).toBe(before + 2), { timeout: 10_000 });
    // As its next process finds it: the marks on the disk, the processes alive.
    const { TerminalMarks } = await import('@/agent/streams/terminal-marks');
    const engine = new DockerEngine({ dockerHost: '' });
    await new TerminalMarks(fixture.stateDir, () => undefined).sweep(engine, (words) => expect(words).toBe(''));
    expect(await processes(containerId)).toBe(before);
    expect(await shell.ended).toMatchObject({ code: expect.any(Number) as number });
    await engine.close();
  }, 60_000);
});
