import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { docker } from './docker';

const run = promisify(execFile);
const BUILD = path.join(import.meta.dirname, 'build-traefik.sh');
const BUILD_PATIENCE_MS = 20 * 60_000;

export const TRAEFIK_VERSION = '3.6.12';
/** A real Traefik and nothing else, made here because no registry can be reached. */
export const TRAEFIK_IMAGE = `berth-test/traefik:${TRAEFIK_VERSION}`;

function isBuilt(): boolean {
  return fs.existsSync(path.join(cacheFolder(), `traefik-v${TRAEFIK_VERSION}/traefik`));
}

function cacheFolder(): string {
  return process.env.BERTH_TEST_CACHE ?? path.join(os.homedir(), '.cache/berth-tests');
}

/** Whether suites that need a Traefik can run. In CI its absence is a failure, elsewhere it is said loudly. */
export function traefikIsThere(): boolean {
  if (isBuilt()) return true;
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env.CI === 'true')
      throw new Error('There is no Go to build Traefik with, and in CI that is a failure.');
    console.warn('\n!!! There is no Go to build Traefik with: suites that need one are SKIPPED.\n');
    return false;
  }
}

/** Makes the image unless it is there, and resolves with its name; the first time on a machine that takes minutes. */
export async function ensureTraefikImage(): Promise<string> {
  if (await docker('images', '-q', TRAEFIK_IMAGE)) return TRAEFIK_IMAGE;
  const { stdout } = await run(BUILD, [], { timeout: BUILD_PATIENCE_MS, maxBuffer: 16 * 1024 * 1024 });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-traefik-'));
  try {
    for (const name of ['etc/traefik', 'tmp', 'var/run']) {
      fs.mkdirSync(path.join(folder, 'root', name), { recursive: true });
    }
    fs.copyFileSync(stdout.trim(), path.join(folder, 'root/traefik'));
    execFileSync('tar', ['-cf', path.join(folder, 'root.tar'), '-C', path.join(folder, 'root'), '.']);
    const change = ['-c', 'ENTRYPOINT ["/traefik"]'];
    await docker('import', ...change, path.join(folder, 'root.tar'), TRAEFIK_IMAGE);
    return TRAEFIK_IMAGE;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
