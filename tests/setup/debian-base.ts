import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { docker } from './docker';

const run = promisify(execFile);

const UNNEEDED = /^\/usr\/share\/(doc|info|locale|man|lintian)\//;

export interface DebianBase {
  /** What the image is called. */
  name: string;
  /** Debian packages of this machine. What they depend on comes along. */
  packages: readonly string[];
  /** Files and links that no package owns. */
  files: readonly string[];
  /** Folders that are taken whole. */
  folders?: readonly string[];
  environment?: readonly string[];
}

/** Why a base of these packages can't be made here; empty when it can. */
export function debianBaseObstacle(packages: readonly string[]): string {
  try {
    execFileSync('dpkg-query', ['-W', ...packages], { stdio: 'ignore' });
    return '';
  } catch {
    return `the Debian packages ${packages.join(', ')} are not all installed`;
  }
}

/** Makes an image of this machine's own files unless it is there: no registry of images is needed. */
export async function ensureDebianBase(base: DebianBase): Promise<void> {
  const { name, packages, folders = [], environment = [] } = base;
  if (await docker('images', '-q', name)) return;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-debian-base-'));
  const list = path.join(folder, 'files');
  const archive = path.join(folder, 'root.tar');
  const files = [...base.files, ...(await filesOf(packages))].filter(isPresent);
  fs.writeFileSync(list, [...new Set(files.map(throughRealFolder))].join('\0'));
  const present = folders.filter(isPresent);
  const whole = present.length > 0 ? ['--recursion', ...present] : [];
  try {
    await run('tar', ['-cPf', archive, '--no-recursion', '--null', `--files-from=${list}`, ...whole]);
    await docker('import', ...environment.flatMap((each) => ['-c', `ENV ${each}`]), archive, name);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Every file of these Debian packages and of all that they depend on. */
async function filesOf(packages: readonly string[]): Promise<string[]> {
  const only = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`);
  const { stdout: tree } = await run('apt-cache', ['depends', '--recurse', '--installed', ...only, ...packages]);
  // Of alternatives all are named, and some are not there.
  const { stdout: states } = await run('dpkg-query', ['-W', '-f', '${Package} ${Status}\n']);
  const installed = new Set([...states.matchAll(/^(\S+) install ok installed$/gm)].map(([, each]) => each));
  const closure = tree.split('\n').filter((line) => installed.has(line.replace(/:\w+$/, '')));
  const { stdout: files } = await run('dpkg', ['-L', ...closure], { maxBuffer: 64 * 1024 * 1024 });
  return files.split('\n').filter((file) => file.startsWith('/') && file !== '/.' && !UNNEEDED.test(file));
}

function isPresent(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Packages know `/lib/x`; the archive must not put anything through the link `/lib`. */
function throughRealFolder(file: string): string {
  return path.join(fs.realpathSync(path.dirname(file)), path.basename(file));
}
