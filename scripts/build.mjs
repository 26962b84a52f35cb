// Bundles the console and the agent for production: our own code in one file each, packages left in node_modules.
import { build } from 'esbuild';
import { copyFile } from 'node:fs/promises';

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: 'linked',
  logLevel: 'warning',
  // `server-only` throws outside Next's bundler; these bundles are the server.
  alias: { 'server-only': './scripts/empty.mjs' },
};

await Promise.all([
  build({
    ...shared,
    entryPoints: ['server.ts'],
    outfile: 'dist/server.mjs',
    define: { 'process.env.NODE_ENV': '"production"' },
  }),
  build({ ...shared, entryPoints: ['agent/main.ts'], outfile: 'dist/agent.mjs' }),
  build({ ...shared, entryPoints: ['server/account-tool.ts'], outfile: 'dist/account.mjs' }),
  build({ ...shared, entryPoints: ['server/berth-tool.ts'], outfile: 'dist/berth.mjs' }),
]);
// Runs in a container of its own, so it is read as a file beside the bundles.
await copyFile('agent/engines/docker/volumes/volume-helper.mjs', 'dist/volume-helper.mjs');
