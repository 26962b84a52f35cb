import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { docker } from './docker';

const run = promisify(execFile);

/** A base for the Dockerfile like `node:20-bookworm`, made of this machine's own files: no registry of images is needed. */
export const NODE_BASE_IMAGE = `berth-test/node-base:${process.versions.node}`;

/** What the build runs: a shell and its tools, and the compiler for better-sqlite3. */
const PACKAGES = [
  ...[
    'base-files',
    'bash',
    'libc-bin',
    'dash',
    'coreutils',
    'debianutils',
    'findutils',
    'grep',
    'gzip',
    'mawk',
    'sed',
    'tar',
  ],
  ...['g++', 'make', 'python3'],
];
/** Links that no package owns. */
const LINKS = ['/bin', '/lib', '/lib64', '/sbin', '/usr/bin/awk', '/usr/bin/c++', '/usr/bin/cc'];
const ALTERNATIVES = ['awk', 'c++', 'cc'].map((name) => `/etc/alternatives/${name}`);
const UNNEEDED = /^\/usr\/share\/(doc|info|locale|man|lintian)\//;

/** Why the base can't be made here; empty when it can. */
export function nodeBaseObstacle(): string {
  try {
    execFileSync('dpkg-query', ['-W', ...PACKAGES], { stdio: 'ignore' });
    return '';
  } catch {
    return `the Debian packages ${PACKAGES.join(', ')} are not all installed`;
  }
}

/** Makes the base image unless it is there; takes some 20 s. */
export async function ensureNodeBase(): Promise<void> {
  if (await docker('images', '-q', NODE_BASE_IMAGE)) return;
  const prefix = path.resolve(path.dirname(process.execPath), '..');
  const caBundle = process.env.NODE_EXTRA_CA_CERTS ?? '/etc/ssl/certs/ca-certificates.crt';
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-node-base-'));
  const list = path.join(folder, 'files');
  const archive = path.join(folder, 'root.tar');
  const node = [process.execPath, ...['npm', 'npx'].map((name) => `${prefix}/bin/${name}`)];
  const files = [...LINKS, ...ALTERNATIVES, ...node, caBundle, ...(await filesOf(PACKAGES))].filter(isPresent);
  fs.writeFileSync(list, [...new Set(files.map(throughRealFolder))].join('\0'));
  const whole = [`${prefix}/lib/node_modules/npm`, `${prefix}/include/node`].filter(isPresent);
  try {
    await run('tar', ['-cPf', archive, '--no-recursion', '--null', `--files-from=${list}`, '--recursion', ...whole]);
    const { stdout: registry } = await run('npm', ['config', 'get', 'registry']);
    const settings = [`NODE_EXTRA_CA_CERTS=${caBundle}`, `npm_config_registry=${registry.trim()}`];
    await docker('import', ...settings.flatMap((each) => ['-c', `ENV ${each}`]), archive, NODE_BASE_IMAGE);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Every file of these Debian packages and of all that they depend on. */
async function filesOf(packages: string[]): Promise<string[]> {
  const only = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`);
  const { stdout: tree } = await run('apt-cache', ['depends', '--recurse', '--installed', ...only, ...packages]);
  const closure = tree.split('\n').filter((line) => /^[a-z0-9]/.test(line));
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
