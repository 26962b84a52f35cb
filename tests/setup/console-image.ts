import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { docker } from './docker';
import { ensureNodeBase, NODE_BASE_IMAGE, nodeBaseObstacle } from './node-base';

export const CONSOLE_IMAGE = 'berth-test/console:latest';

const root = path.resolve(import.meta.dirname, '../..');
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

/** Whether the image can be built here. In CI what is missing is a failure, elsewhere it is said loudly. */
export function consoleImageCanBeBuilt(): boolean {
  const obstacle = nodeBaseObstacle() || registryObstacle();
  if (obstacle === '') return true;
  if (process.env.CI === 'true') throw new Error(`The container image can't be tested: ${obstacle}`);
  console.warn(`\n!!! The test of the container image is SKIPPED: ${obstacle}.\n`);
  return false;
}

function registryObstacle(): string {
  try {
    execFileSync('npm', ['ping', '--fetch-timeout=10000', '--fetch-retries=0'], { stdio: 'ignore', timeout: 20_000 });
    return '';
  } catch {
    return 'the package registry does not answer';
  }
}

/** Builds the Dockerfile of this checkout on a base made of this machine's files. */
export async function buildConsoleImage(): Promise<void> {
  await ensureNodeBase();
  const proxies = PROXY_VARIABLES.filter((name) => process.env[name]).flatMap((name) => ['--build-arg', name]);
  const base = ['--build-arg', `BASE=${NODE_BASE_IMAGE}`];
  await docker('build', '--network=host', ...base, ...proxies, '-t', CONSOLE_IMAGE, root);
}
