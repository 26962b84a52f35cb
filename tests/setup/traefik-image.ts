import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { docker } from './docker';

const VERSION = '3.6.12';
const IMAGE = `berth-test/traefik:${VERSION}`;
const PLACES = ['.cache/berth-tests', '.cache/berth-tools'];

function findBinary(): string | undefined {
  const files = PLACES.map((place) => path.join(os.homedir(), place, `traefik-v${VERSION}/traefik`));
  return files.find((file) => fs.existsSync(file));
}

/** Whether suites that need a Traefik can run. In CI its absence is a failure, elsewhere it is said loudly. */
export function traefikIsThere(): boolean {
  if (findBinary()) return true;
  if (process.env.CI === 'true') throw new Error(`There is no Traefik ${VERSION}, and in CI that is a failure.`);
  console.warn(`\n!!! There is no Traefik ${VERSION}: suites that need one are SKIPPED.\n`);
  return false;
}

/** Makes an image of a real Traefik and nothing else unless it is there, and resolves with its name. */
export async function ensureTraefikImage(): Promise<string> {
  if (await docker('images', '-q', IMAGE)) return IMAGE;
  const binary = findBinary();
  if (!binary) throw new Error(`There is no Traefik ${VERSION}`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-traefik-'));
  try {
    for (const name of ['etc/traefik', 'tmp', 'var/run']) {
      fs.mkdirSync(path.join(folder, 'root', name), { recursive: true });
    }
    fs.copyFileSync(binary, path.join(folder, 'root/traefik'));
    execFileSync('tar', ['-cf', path.join(folder, 'root.tar'), '-C', path.join(folder, 'root'), '.']);
    await docker('import', '-c', 'ENTRYPOINT ["/traefik"]', path.join(folder, 'root.tar'), IMAGE);
    return IMAGE;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
