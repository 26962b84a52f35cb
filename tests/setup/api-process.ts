import { fork, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');
const bundle = path.join(root, '.cache/api-server.mjs');

export interface ApiProcess {
  url: string;
  /** Asked for where it has a public address. */
  setupCode: string;
  pid: number;
  dataDir: string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Bundles the API server; once per run. */
export async function bundleApiServer(): Promise<void> {
  await bundleProgram('api-server.ts', bundle);
}

/** Bundles a program of this folder, to be run as a process of its own from the project's folder. */
export async function bundleProgram(name: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [path.join(import.meta.dirname, name)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    alias: { 'server-only': path.join(root, 'scripts/empty.mjs') },
  });
}

type Started = Pick<ApiProcess, 'setupCode'> & { port: number };

/** Starts the bundled API server on the data folder, or on a new one. */
export async function startApi({
  dataDir,
  env,
}: { dataDir?: string; env?: Record<string, string> } = {}): Promise<ApiProcess> {
  const folder = dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'berth-api-'));
  const { BERTH_SECRET: _secret, ...inherited } = process.env;
  const child: ChildProcess = fork(bundle, {
    cwd: root,
    env: { ...inherited, NODE_ENV: 'production', PORT: '0', LOG_LEVEL: 'error', BERTH_DATA_DIR: folder, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { port, setupCode } = await new Promise<Started>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Started));
    child.once('exit', (code) => reject(new Error(`the API server ended with ${String(code)}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    setupCode,
    pid: child.pid!,
    dataDir: folder,
    async kill(signal) {
      child.kill(signal);
      await gone;
    },
  };
}
