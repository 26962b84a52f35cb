import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The image that tests build on: busybox alone, made here because no registry can be reached. */
export const BASE_IMAGE = 'berth-test/base:1';

/** An image whose containers end at once: Docker waits 10 s for a process that does not end by itself. */
export const ENDS_AT_ONCE = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sleep", "3600"]\n`;

/** Runs the docker client and resolves with its trimmed output; rejects with its words. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await run('docker', args, { maxBuffer: 32 * 1024 * 1024 });
  return stdout.trim();
}

function hasDocker(): boolean {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

/** Whether suites that need an engine can run. In CI a missing engine is a failure, elsewhere it is said loudly. */
export function engineIsThere(): boolean {
  if (hasDocker()) return true;
  if (process.env.CI === 'true') throw new Error('No Docker engine answers, and in CI that is a failure.');
  console.warn('\n!!! No Docker engine answers: suites that need one are SKIPPED.\n');
  return false;
}

/** Makes the base image unless it is there: /bin/busybox under every applet's name. */
export async function ensureBaseImage(engine: (...args: string[]) => Promise<string> = docker): Promise<void> {
  if (await engine('images', '-q', BASE_IMAGE)) return;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-base-'));
  const rootfs = path.join(folder, 'root');
  for (const name of ['bin', 'tmp', 'etc', 'www']) fs.mkdirSync(path.join(rootfs, name), { recursive: true });
  fs.copyFileSync('/bin/busybox', path.join(rootfs, 'bin/busybox'));
  for (const applet of execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).split('\n')) {
    if (applet && applet !== 'busybox') fs.symlinkSync('busybox', path.join(rootfs, 'bin', applet));
  }
  fs.writeFileSync(path.join(rootfs, 'etc/passwd'), 'root:x:0:0:root:/:/bin/sh\n');
  execFileSync('tar', ['-cf', path.join(folder, 'root.tar'), '-C', rootfs, '.']);
  await engine('import', '-c', 'CMD ["/bin/sh"]', path.join(folder, 'root.tar'), BASE_IMAGE);
  fs.rmSync(folder, { recursive: true, force: true });
}
