import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SimulatedEngine } from '@/agent/engines/simulated/simulated-engine';
import { createFixture, type Fixture } from './agent-fixture';
import { makeOpen, TerminalReader } from './terminal-reader';

/** A shell on the machine that the agent runs on, as a console asks for it: real processes on real terminals. */
const SECRET = 'berth-secret-of-the-agent';
const usual = { ...process.env };
let fixture: Fixture;
let sessions = 0;

beforeEach(() => {
  process.env.BERTH_JOIN_TOKEN = SECRET;
  process.env.BERTH_SECRET = SECRET;
});
afterEach(async () => {
  await fixture?.close();
  for (const name of ['BERTH_JOIN_TOKEN', 'BERTH_SECRET', 'PATH']) {
    if (usual[name] === undefined) delete process.env[name];
    else process.env[name] = usual[name];
  }
});

async function begin(hostTerminal = true): Promise<void> {
  fixture = await createFixture(new SimulatedEngine({ images: [] }), 'host1', { hostTerminal });
}

const told = () => fixture.console.until(() => fixture.console.heartbeats.at(-1)?.hostTerminal);

async function open(asked: { viewer?: string; session?: string; isNew?: boolean; cols?: number; rows?: number } = {}) {
  const link = await fixture.console.until(() => fixture.console.link);
  sessions += 1;
  return new TerminalReader(link.mux.open(makeOpen({ kind: 'hostShell', session: `s${sessions}`, ...asked })));
}

/** Types a line whose answer ends with a mark of its own, and waits for that. */
async function run(shell: TerminalReader, line: string): Promise<string> {
  const from = shell.text.length;
  shell.type(`${line}; echo do''ne-$?\r`);
  await vi.waitFor(() => expect(shell.text.slice(from)).toMatch(/done-\d+\r\n/), { timeout: 15_000, interval: 20 });
  return shell.text.slice(from);
}

/** Processes of the machine whose words have this number. */
function processes(words: string): number {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 2).join(' ') === `sleep ${words}`;
    } catch {
      return false;
    }
  }).length;
}

const gone = (words: string) => vi.waitFor(() => expect(processes(words)).toBe(0), { timeout: 5000, interval: 50 });

describe.each(['python3', 'script'] as const)('a shell on the host by %s', (bridge) => {
  beforeEach(async () => {
    if (bridge === 'script')
      process.env.PATH = onlyWith(['script', 'sh', 'stty', 'sleep', 'env', 'grep', 'stat', 'cat', 'seq']);
    await begin();
  });

  it('says that it is there, types, and ends with the code of the shell', async () => {
    expect(await told()).toMatchObject({
      isOn: true,
      canResize: bridge === 'python3',
      problem: '',
    });
    const shell = await open({ cols: 101, rows: 33 });
    await vi.waitFor(() => expect(shell.find('begin')).toMatchObject({ isNew: true, takesInput: true }), 10_000);
    expect(shell.find('begin')!.program).toMatch(/^(ba|z|a|da|k)?sh$/);
    expect(await run(shell, 'echo "grüße 你好 $((6 * 7))"')).toContain('grüße 你好 42\r\n');
    expect(await run(shell, 'stty size')).toContain('33 101\r\n');
    shell.stream.resize({ cols: 70, rows: 20 });
    if (bridge === 'python3') {
      await vi.waitFor(() => expect(shell.find('size')).toMatchObject({ cols: 70, rows: 20 }));
      await vi.waitFor(async () => expect(await run(shell, 'stty size')).toContain('20 70\r\n'));
    } else expect(await run(shell, 'stty size')).toContain('33 101\r\n');
    shell.type('exit 7\r');
    expect(await shell.ended).toEqual({ code: 7, message: '' });
  }, 60_000);

  it('interrupts by Ctrl-C, and carries much without losing a byte', async () => {
    const shell = await open();
    await run(shell, 'true');
    shell.type('sleep 4101\r');
    await vi.waitFor(() => expect(processes('4101')).toBe(1), 5000);
    shell.type('\u0003');
    await gone('4101');
    expect(await run(shell, 'seq 1 20000 | tail -n 1 2>/dev/null || seq 1 20000')).toMatch(/20000\r\n/);
  }, 60_000);

  it('leaves no process when it is closed, in front or behind, deaf to hanging up or not', async () => {
    const shell = await open();
    await run(shell, 'true');
    shell.type("(trap '' HUP; sleep 4102; sleep 4102) & sleep 4102 & sleep 4102\r");
    await vi.waitFor(() => expect(processes('4102')).toBe(3), { timeout: 5000 });
    shell.stream.end();
    await gone('4102');
  }, 60_000);

  it('ends with what runs behind it, and with the agent', async () => {
    const left = await open();
    await run(left, 'true');
    left.type('sleep 4103 & exit 3\r');
    expect(await left.ended).toEqual({ code: 3, message: '' });
    await gone('4103');
    const shell = await open();
    await run(shell, 'true');
    shell.type('sleep 4104 & sleep 4104\r');
    await vi.waitFor(() => expect(processes('4104')).toBe(2), { timeout: 5000 });
    await fixture.agent.stop();
    await gone('4104');
  }, 60_000);

  it('gives the shell nothing of the agent’s environment, and leaves its key file as it was', async () => {
    const file = path.join(fixture.stateDir, 'identity.json');
    const before = statSync(file);
    const shell = await open();
    const said = await run(shell, 'env');
    expect(said).toMatch(/HOME=.*\r\n/);
    expect(said).toContain('TERM=xterm-256color');
    expect(said).not.toMatch(/BERTH_|NODE_|berth-secret/);
    const held = await run(shell, `cat /proc/$PPID/environ`);
    expect(held).not.toMatch(/BERTH_|berth-secret/);
    const after = statSync(file);
    expect([after.mode & 0o777, after.uid]).toEqual([0o600, before.uid]);
  }, 60_000);
});

describe('shells on the host', () => {
  it('are four at most, and a person’s own that nobody looks at goes first', async () => {
    await begin();
    // At once, as nobody waits for another.
    const four = await Promise.all(['ada', 'ada', 'bo', 'bo'].map((viewer) => open({ viewer })));
    for (const shell of four) await vi.waitFor(() => expect(shell.find('begin')).toBeDefined(), 10_000);
    const fifth = await open({ viewer: 'cy' });
    await fifth.ended;
    expect(fifth.find('refused')).toMatchObject({ code: 'limit' });
    four[0]!.stream.cancel();
    const still = await open({ viewer: 'cy' });
    await still.ended;
    expect(still.find('refused')).toMatchObject({ code: 'limit' });
    const own = await open({ viewer: 'ada' });
    await vi.waitFor(() => expect(own.find('begin')).toMatchObject({ isNew: true }), 10_000);
  }, 60_000);

  it('are not entered as those of a workspace, nor the other way round', async () => {
    await begin();
    const shell = await open({ session: 'mine' });
    await run(shell, 'true');
    const link = await fixture.console.until(() => fixture.console.link);
    for (const kind of ['exec', 'attach'] as const) {
      const thief = new TerminalReader(
        link.mux.open(makeOpen({ kind, session: 'mine', isNew: false, workspaceId: '' })),
      );
      await thief.ended;
      expect(thief.find('refused')).toMatchObject({ code: 'gone' });
    }
  }, 30_000);

  it('are refused in words where the agent was started without them', async () => {
    await begin(false);
    expect(await told()).toMatchObject({ isOn: false, problem: '' });
    const shell = await open();
    await shell.ended;
    expect(shell.find('refused')).toMatchObject({
      code: 'failed',
      message: expect.stringContaining('BERTH_HOST_TERMINAL=1') as string,
    });
  }, 30_000);

  it('are refused in words where nothing gives a terminal', async () => {
    process.env.PATH = onlyWith(['sh']);
    await begin();
    expect(await told()).toMatchObject({
      isOn: true,
      problem: expect.stringContaining('needs python3, or script') as string,
    });
    const shell = await open();
    await shell.ended;
    expect(shell.find('refused')).toMatchObject({ message: expect.stringContaining('needs python3') as string });
  }, 30_000);

  it('of an agent that was killed end with its bridge, and what stays with the next one', async () => {
    await begin();
    const { TerminalMarks } = await import('@/agent/streams/terminal-marks');
    const shell = await open();
    await run(shell, 'true');
    shell.type("trap '' HUP; sleep 4105 & sleep 4105\r");
    await vi.waitFor(() => expect(processes('4105')).toBe(2), { timeout: 5000 });
    await new TerminalMarks(fixture.stateDir, () => undefined).sweep(new SimulatedEngine({ images: [] }), (words) =>
      expect(words).toBe(''),
    );
    expect(processes('4105')).toBe(0);
  }, 30_000);
});

/** A folder that has these programs of the machine and no other. */
function onlyWith(programs: string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-path-'));
  chmodSync(folder, 0o755);
  for (const name of programs) {
    const at = execFileSync('/bin/sh', ['-c', `command -v ${name}`], {
      encoding: 'utf8',
      env: { ...usual, PATH: '/usr/bin:/bin' },
    });
    symlinkSync(at.trim(), path.join(folder, name));
  }
  folders.push(folder);
  return folder;
}
const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));
