import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { startAgent, type RunningAgent } from '@/agent/agent';
import { createEmbeddedJoinToken, isKnownHost, releaseEmbeddedAgent } from '@/lib/hosts/create-join-token';
import { env } from '@/lib/env';
import { log } from '@/lib/log';

const HOST_NAME = 'local';
const DEFAULT_SOCKET = '/var/run/docker.sock';

/**
 * Starts the agent for the machine that the console runs on, as host `local`: the same code that runs alone elsewhere.
 * Resolves with undefined when it is switched off, or can't start: the console serves its other hosts without it.
 */
export async function startEmbeddedAgent(port: number): Promise<RunningAgent | undefined> {
  const { localAgent } = env();
  if (localAgent === 'off') return undefined;
  try {
    return await start(port, localAgent);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    log.error(`Host "${HOST_NAME}" stays offline until the next start, its agent can't run: ${words}`);
    return undefined;
  }
}

async function start(port: number, choice: 'auto' | 'docker' | 'simulated'): Promise<RunningAgent> {
  const { dataDir, dockerHost, networkPool, bindRoots, allowedSources, hostTerminal } = env();
  const stateDir = path.join(dataDir, 'local-agent');
  await fs.mkdir(stateDir, { recursive: true, mode: 0o700 });
  const engine = choice === 'auto' ? await chooseEngine(stateDir, dockerHost) : choice;
  await forgetRemovedHost(stateDir);
  await releaseEmbeddedAgent(HOST_NAME);
  return startAgent({
    consoleUrl: `http://127.0.0.1:${port}`,
    joinToken: () => createEmbeddedJoinToken(HOST_NAME),
    hostName: HOST_NAME,
    stateDir,
    engine,
    dockerHost,
    networkPool,
    bindRoots,
    allowedSources,
    hostTerminal,
    log: log.child({ part: 'agent' }),
  });
}

/** A host that was deleted comes back with the next start: its agent joins anew, with a new key. */
async function forgetRemovedHost(stateDir: string): Promise<void> {
  const file = path.join(stateDir, 'identity.json');
  const text = await fs.readFile(file, 'utf8').catch(() => '');
  const hostId = /"hostId":\s*"([a-z0-9]+)"/.exec(text)?.[1];
  if (!hostId || isKnownHost(hostId)) return;
  log.info(`Host "${HOST_NAME}" was deleted: it joins anew`);
  await fs.rm(file);
}

/**
 * The Docker engine where one answers or once did, otherwise the simulated one: a stopped daemon must not turn a real
 * host into a simulated one.
 */
async function chooseEngine(stateDir: string, dockerHost: string | undefined): Promise<'docker' | 'simulated'> {
  const memory = path.join(stateDir, 'engine');
  const before = await fs.readFile(memory, 'utf8').catch(() => '');
  if (before === 'docker' || dockerHost || (await answers(DEFAULT_SOCKET))) {
    await fs.writeFile(memory, 'docker');
    return 'docker';
  }
  log.warn(`No Docker engine at ${DEFAULT_SOCKET}: host "${HOST_NAME}" has a simulated engine, nothing is really run`);
  return 'simulated';
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
