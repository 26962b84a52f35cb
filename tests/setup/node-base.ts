import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { debianBaseObstacle, ensureDebianBase } from './debian-base';

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

/** Why the base can't be made here; empty when it can. */
export function nodeBaseObstacle(): string {
  return debianBaseObstacle(PACKAGES);
}

/** Makes the base image unless it is there; takes some 20 s. */
export async function ensureNodeBase(): Promise<void> {
  const prefix = path.resolve(path.dirname(process.execPath), '..');
  const caBundle = process.env.NODE_EXTRA_CA_CERTS ?? '/etc/ssl/certs/ca-certificates.crt';
  const node = [process.execPath, ...['npm', 'npx'].map((name) => `${prefix}/bin/${name}`)];
  const { stdout: registry } = await run('npm', ['config', 'get', 'registry']);
  await ensureDebianBase({
    name: NODE_BASE_IMAGE,
    packages: PACKAGES,
    files: [...LINKS, ...ALTERNATIVES, ...node, caBundle],
    folders: [`${prefix}/lib/node_modules/npm`, `${prefix}/include/node`],
    environment: [`NODE_EXTRA_CA_CERTS=${caBundle}`, `npm_config_registry=${registry.trim()}`],
  });
}
