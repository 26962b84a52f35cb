import { readFile } from 'node:fs/promises';
import { isContained } from './contained';

/** The engine mounts some of a container's files from a folder of its id. */
const MOUNTED = /\/containers\/([0-9a-f]{64})\/(?:hostname|hosts|resolv\.conf) /;

/** The id of the container that the agent runs in; empty where it runs on the machine itself, or nobody can tell. */
export async function findOwnContainer(): Promise<string> {
  if (!(await isContained())) return '';
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return MOUNTED.exec(mounts)?.[1] ?? '';
}
