// `npm run check`: types, lint with import walls, format, unused code, message keys, migrations drift. Runs them all, then says which failed.
import { spawnSync } from 'node:child_process';
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

const failed = checks.filter(([name, command, args]) => {
  const startedMs = Date.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: childEnv() });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
  return status !== 0;
});

if (failed.length > 0) {
  console.error(`\nFailed: ${failed.map(([name]) => name).join(', ')}`);
  process.exit(1);
}
