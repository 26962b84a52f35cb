import { execFile, spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './console-process';

const run = promisify(execFile);

/** A Docker engine of the test's own, which it may stop: other suites use the machine's. */
export interface PrivateEngine {
  /** For DOCKER_HOST. */
  readonly address: string;
  docker(...args: string[]): Promise<string>;
  /** Stops the daemon and its containers, as a restart of the service does. */
  stop(): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * Starts a second dockerd with its own state and network namespace, so that it can't touch the machine's bridge, and waits
 * until it answers. `diskMb` gives it a disk of its own that is no larger.
 */
export async function startPrivateEngine({ diskMb }: { diskMb?: number } = {}): Promise<PrivateEngine> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-dockerd-'));
  const address = `unix://${path.join(folder, 'docker.sock')}`;
  const dataRoot = path.join(folder, 'data');
  fs.mkdirSync(dataRoot);
  if (diskMb) await run('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', dataRoot]);
  let child: ChildProcess | undefined;
  let gone: Promise<void> = Promise.resolve();

  const engine: PrivateEngine = {
    address,
    async docker(...args) {
      const { stdout } = await run('docker', ['-H', address, ...args], { maxBuffer: 32 * 1024 * 1024 });
      return stdout.trim();
    },
    async start() {
      const log = fs.openSync(path.join(folder, 'dockerd.log'), 'a');
      child = spawn(
        'unshare',
        [
          ...['--net', 'dockerd', '-H', address, '--data-root', dataRoot, '--exec-root', path.join(folder, 'exec')],
          ...['--pidfile', path.join(folder, 'dockerd.pid'), '--iptables=false', '--ip-masq=false'],
        ],
        { stdio: ['ignore', log, log] },
      );
      const started = child;
      gone = new Promise((resolve) => started.once('exit', () => resolve()));
      await eventually('the private engine answers', () => engine.docker('info').then(() => true), 60_000);
    },
    async stop() {
      child?.kill('SIGTERM');
      await gone;
    },
    async dispose() {
      const ids = await engine.docker('ps', '-aq').catch(() => '');
      if (ids) await engine.docker('rm', '-f', ...ids.split('\n')).catch(() => undefined);
      await engine.stop();
      // What a stopped daemon may leave mounted, the disk of its own with it; the innermost first.
      for (const mounted of mountsBelow(folder).toReversed()) await run('umount', ['-l', mounted]);
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await engine.start();
  return engine;
}

function mountsBelow(folder: string): string[] {
  return fs
    .readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((mounted) => mounted.startsWith(`${folder}/`));
}
