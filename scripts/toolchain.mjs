// What every script needs before packages are there: only Node's own modules.
import { spawn, spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
const cacheDir = path.join(root, '.cache');

/** The environment for child processes: native modules build against local headers where Node came with them. */
export function childEnv(extra = {}) {
  const prefix = path.resolve(path.dirname(process.execPath), '..');
  const headers = path.join(prefix, 'include/node/node.h');
  const nodedir = fs.existsSync(headers) ? { npm_config_nodedir: prefix } : {};
  return { ...process.env, ...nodedir, NEXT_TELEMETRY_DISABLED: '1', ...extra };
}

/** Runs a command to its end with our own output; ends the process when it fails. */
export function run(command, args, extraEnv = {}) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: childEnv(extraEnv) });
  if (status !== 0) {
    console.error(`\n"${command} ${args.join(' ')}" failed with code ${status}.`);
    process.exit(status ?? 1);
  }
}

/** Installs the locked packages unless they are there as locked. */
export function ensureInstalled() {
  const lock = crypto
    .createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(root, 'node_modules', '.berth-lock');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lock) return;
  console.log('Installing packages (a minute or two the first time) …');
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  fs.writeFileSync(stamp, lock);
}

const SOURCES = [
  'app',
  'components',
  'lib',
  'db',
  'agent',
  'messages',
  'i18n',
  'public',
  'server',
  'server.ts',
  'middleware.ts',
  'next.config.ts',
  'package-lock.json',
  'tsconfig.json',
  'postcss.config.mjs',
  'scripts/build.mjs',
];

function* filesUnder(entry) {
  const full = path.join(root, entry);
  if (!fs.existsSync(full)) return;
  if (fs.statSync(full).isFile()) return void (yield entry);
  for (const name of fs.readdirSync(full).sort()) yield* filesUnder(path.join(entry, name));
}

function sourceHash() {
  const hash = crypto.createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesUnder(source))
      hash
        .update(file)
        .update('\0')
        .update(fs.readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
}

/** Builds console and agent unless the present sources were built already. */
export function ensureBuilt() {
  const stamp = path.join(cacheDir, 'built');
  const hash = sourceHash();
  const isBuilt = fs.existsSync(path.join(root, '.next/BUILD_ID')) && fs.existsSync(path.join(root, 'dist/server.mjs'));
  if (isBuilt && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hash) return;
  console.log('Building (half a minute) …');
  run('npx', ['next', 'build'], { NODE_ENV: 'production' });
  run('node', ['scripts/build.mjs']);
  fs.mkdirSync(cacheDir, { recursive: true });
  fs.writeFileSync(stamp, hash);
}

/** Starts a command in the foreground: signals go to it, and its end is ours. */
export function become(command, args, extraEnv = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: childEnv(extraEnv) });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
