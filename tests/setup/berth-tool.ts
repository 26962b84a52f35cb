import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');
const bundle = path.join(root, '.cache/berth-tool.mjs');

/** Bundles the tool as the build does. */
export async function bundleTool(): Promise<void> {
  await build({
    entryPoints: [path.join(root, 'server/berth-tool.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    alias: { 'server-only': path.join(root, 'scripts/empty.mjs') },
  });
}

export interface ToolEnd {
  /** Null where a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the tool on a data folder, as an admin of the machine calls it. */
export function startTool(
  dataDir: string,
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcess; end: Promise<ToolEnd> } {
  const { BERTH_SECRET: _secret, ...inherited } = process.env;
  const child = spawn(process.execPath, [bundle, ...args], {
    cwd: root,
    env: { ...inherited, NODE_ENV: 'production', LOG_LEVEL: 'error', BERTH_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const end = new Promise<ToolEnd>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  return { child, end };
}

export function runTool(dataDir: string, args: readonly string[], env?: Record<string, string>): Promise<ToolEnd> {
  return startTool(dataDir, args, env).end;
}
