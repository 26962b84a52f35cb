import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { Listener } from '../../../../lib/protocol/measure-streams';
import { ask } from '../docker-client';
import { MARK, runInside } from './run-inside';

/** With nothing but what a shell has built in. */
const SCRIPT = [
  `[ -r /proc/net/tcp ] || exit 127`,
  MARK,
  `for f in /proc/net/tcp /proc/net/tcp6; do`,
  `[ -r $f ] && while IFS= read -r l; do printf '%s\\n' "$l"; done <$f`,
  `done`,
  `exit 0`,
].join('\n');
const TABLES = ['tcp', 'tcp6'];
const TABLE_MAX_BYTES = 4 * 1024 * 1024;
const LISTENS = '0A';
/** The engine's own name server, which it puts into every container on a network of ours. */
const ENGINE_ADDRESS = '0B00007F';

/** TCP ports that are listened on in a container that runs; null where nobody can tell. */
export async function listListeners(docker: Docker, containerId: string): Promise<Listener[] | null> {
  const { State: state } = await ask(() => docker.getContainer(containerId).inspect());
  if (!state.Running || state.Paused) return null;
  const seen = await readFromHost(containerId, state.Pid);
  if (seen !== undefined) return parseListeners(seen);
  const signal = AbortSignal.timeout(10_000);
  const output = await runInside(docker, { containerId, script: SCRIPT, args: [], signal });
  return output ? parseListeners(await readText(output)) : null;
}

/**
 * The kernel's tables by the process of the container, where the agent sees the host's processes: that costs the
 * container nothing, and works without a shell. Undefined where the process here is another one than the engine's.
 */
async function readFromHost(containerId: string, pid: number): Promise<string | undefined> {
  try {
    if (!(await isOfContainer(containerId, pid))) return undefined;
    const tables = TABLES.map((table) => readFile(`/proc/${pid}/net/${table}`, 'latin1').catch(() => ''));
    const text = (await Promise.all(tables)).join('\n');
    // The number may have gone to another process meanwhile.
    return text !== '' && (await isOfContainer(containerId, pid)) ? text : undefined;
  } catch {
    return undefined;
  }
}

async function isOfContainer(containerId: string, pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cgroup`, 'latin1')).includes(containerId);
}

async function readText(output: Readable): Promise<string> {
  let text = '';
  for await (const chunk of output as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (text.length > TABLE_MAX_BYTES) break;
  }
  return text;
}

/** The ports of the kernel's tables, each once, in order. One that is open to others counts as that. */
export function parseListeners(text: string): Listener[] {
  const found = new Map<number, boolean>();
  for (const line of text.split('\n')) {
    const [, local = '', , state] = line.trim().split(/\s+/);
    const [address = '', hexPort = ''] = local.split(':');
    const port = Number.parseInt(hexPort, 16);
    if (state !== LISTENS || address === ENGINE_ADDRESS || !(port > 0)) continue;
    found.set(port, (found.get(port) ?? true) && isLoopback(address));
  }
  return [...found].map(([port, isLocal]) => ({ port, isLocal })).toSorted((a, b) => a.port - b.port);
}

/** In the kernel's words of four bytes each, the lowest first. */
function isLoopback(address: string): boolean {
  if (address.length === 8) return address.endsWith('7F');
  const mapped = /^0{16}FFFF0000(.{8})$/i.exec(address)?.[1];
  return mapped ? isLoopback(mapped) : address === '00000000000000000000000001000000';
}
