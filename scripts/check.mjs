// `npm run check`: types, lint with import walls, format, unused code, message keys, migrations drift. Runs them all, two at once,
// then says which failed.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { childEnv, ensureInstalled, root } from './toolchain.mjs';

ensureInstalled();

const checks = [
  ['types', 'npx', ['tsc', '--noEmit']],
  [
    'types of the agent alone',
    'npx',
    [
      'tsc',
      '-p',
      'agent/tsconfig.json',
      '--outDir',
      '.cache/agent-types',
      '--tsBuildInfoFile',
      '.cache/agent.tsbuildinfo',
    ],
  ],
  ['lint', 'npx', ['eslint', '--max-warnings=0', '.']],
  ['format', 'npx', ['prettier', '--check', '--log-level=warn', '.']],
  ['unused code', 'npx', ['knip', '--no-progress']],
  ['message keys', 'node', ['scripts/check-messages.mjs']],
  ['migrations drift', 'node', ['scripts/check-migrations.mjs']],
];

/** The longest first, so that the others run beside it. */
const waiting = checks.toSorted(([, , a], [, , b]) => Number(b[0] === 'eslint') - Number(a[0] === 'eslint'));
const failed = [];

/** Runs one check and then says all that it said, so that two at once don't mix their words. */
function runCheck([name, command, args]) {
  const startedMs = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: childEnv() });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
    const end = (status) => {
      process.stdout.write(Buffer.concat(said));
      console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
      if (status !== 0) failed.push(name);
      resolve();
    };
    child.once('error', (error) => {
      said.push(Buffer.from(`${error.message}\n`));
      end(1);
    });
    child.once('close', end);
  });
}

async function runNext() {
  for (let check = waiting.shift(); check; check = waiting.shift()) await runCheck(check);
}

await Promise.all(Array.from({ length: Math.min(2, os.availableParallelism()) }, runNext));

if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exit(1);
}
