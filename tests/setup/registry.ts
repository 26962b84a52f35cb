import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eventually, freePort } from './console-process';
import { docker } from './docker';

/** A Docker registry of the test's own that asks for a password. */
export interface PrivateRegistry {
  /** `127.0.0.1:PORT` */
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** Puts an image of the engine into it and takes the name off the engine again; answers the name. */
  push(image: string, repository: string): Promise<string>;
  dispose(): Promise<void>;
}

export function registryIsThere(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v docker-registry htpasswd']);
    return true;
  } catch {
    console.warn('\n!!! No docker-registry and htpasswd: tests that need a registry are SKIPPED.\n');
    return false;
  }
}

export async function startRegistry(): Promise<PrivateRegistry> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-registry-'));
  const address = `127.0.0.1:${await freePort()}`;
  const [username, password] = ['puller', 'Right!pass1'];
  const users = path.join(folder, 'htpasswd');
  fs.writeFileSync(users, execFileSync('htpasswd', ['-nbB', username, password], { encoding: 'utf8' }));
  const config = path.join(folder, 'config.yml');
  fs.writeFileSync(
    config,
    JSON.stringify({
      version: '0.1',
      log: { level: 'error' },
      storage: { filesystem: { rootdirectory: path.join(folder, 'data') } },
      http: { addr: address },
      auth: { htpasswd: { realm: 'berth-test', path: users } },
    }),
  );
  const child = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await eventually('the registry answers', () => fetch(`http://${address}/v2/`).then(({ status }) => status === 401));
  return {
    address,
    username,
    password,
    async push(image, repository) {
      const name = `${address}/${repository}`;
      const signedIn = ['--config', path.join(folder, 'docker')];
      await docker(...signedIn, 'login', '-u', username, '-p', password, address);
      await docker('tag', image, name);
      await docker(...signedIn, 'push', name);
      await docker('rmi', name);
      return name;
    },
    async dispose() {
      child.kill('SIGTERM');
      await gone;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
