import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { HostTerminal } from '../../lib/protocol/host-terminal';
import type { TerminalSize } from '../../lib/protocol/streams';
import { isContained } from '../contained';
import type { Terminal } from '../engines/terminal';
import { type Bridge, openHostTerminal } from './host-terminal';
import { findAccount, shellEnvironment } from './shell-account';

const run = promisify(execFile);
const LOOK_TIMEOUT_MS = 5000;
const NO_BRIDGE = 'This host needs python3, or script of util-linux, for a terminal.';
const SWITCHED_OFF = 'The agent of this host was not started with BERTH_HOST_TERMINAL=1: it gives no terminal.';

/** Shells of the agent's own user on this machine, for where the agent was started to give them. */
export class HostShell {
  private bridge: Promise<Bridge | undefined> | undefined;
  private contained: Promise<boolean> | undefined;

  constructor(private readonly isOn: boolean) {}

  /** What the console is told of it. */
  async describe(): Promise<HostTerminal> {
    const bridge = this.isOn ? await this.findBridge() : undefined;
    return {
      isOn: this.isOn,
      canResize: bridge === 'python3',
      isContained: await (this.contained ??= isContained()),
      problem: this.isOn && !bridge ? NO_BRIDGE : '',
    };
  }

  /** Throws an Error with words for people where there is none. */
  async open(size: TerminalSize): Promise<Terminal> {
    if (!this.isOn) throw new Error(SWITCHED_OFF);
    const bridge = await this.findBridge();
    if (!bridge) throw new Error(NO_BRIDGE);
    return openHostTerminal(bridge, { account: await findAccount(), size });
  }

  /** Looked for again while there is none: it may be installed meanwhile. */
  private async findBridge(): Promise<Bridge | undefined> {
    this.bridge ??= lookForBridge();
    const found = await this.bridge;
    if (!found) this.bridge = undefined;
    return found;
  }
}

async function lookForBridge(): Promise<Bridge | undefined> {
  const env = shellEnvironment(await findAccount());
  const options = { env, timeout: LOOK_TIMEOUT_MS, cwd: '/' };
  const python = ['-I', '-S', '-c', 'import fcntl, os, pty, select, termios; os.set_blocking'];
  if (await works(run('python3', python, options))) return 'python3';
  // Others by that name, as busybox's, don't tell how the command ended.
  const script = run('script', ['--version'], options).then(({ stdout }) => {
    if (!stdout.includes('util-linux')) throw new Error(stdout);
  });
  return (await works(script)) ? 'script' : undefined;
}

function works(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}
