// Generated migrations must be what the schema says: generating again into a copy must add nothing.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { childEnv, root } from './toolchain.mjs';

const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-drizzle-'));
fs.cpSync(path.join(root, 'drizzle'), copy, { recursive: true });
const before = fs.readdirSync(copy).sort().join();
const { status, stdout, stderr } = spawnSync(
  'npx',
  ['drizzle-kit', 'generate', '--dialect=sqlite', '--schema=./db/schema/*.ts', `--out=${path.relative(root, copy)}`],
  {
    cwd: root,
    env: childEnv(),
    encoding: 'utf8',
  },
);
const after = fs.readdirSync(copy).sort().join();
fs.rmSync(copy, { recursive: true, force: true });
if (status !== 0 || before !== after) {
  console.error(stdout, stderr, '\nThe schema and drizzle/ differ: run `npm run db:generate`.');
  process.exit(1);
}
