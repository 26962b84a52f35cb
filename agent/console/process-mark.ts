import { randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { toMessage } from '../engines/engine-error';
import { StateFile } from '../state-file';

const markSchema = z.object({
  instance: z.string(),
  /** Instances before it that the console may not have heard the end of. */
  replaces: z.array(z.string()),
  pid: z.int(),
  /** Of the machine's start, and of the process numbers that `pid` is one of; empty where the system tells neither. */
  boot: z.string(),
  namespace: z.string(),
});
type Mark = z.infer<typeof markSchema>;

/** Instances that are told at most: of agents that were killed one after another. */
const REPLACES_MAX = 10;

/**
 * Leaves a mark of this process in the state folder, and reads its predecessor's. One that was killed on this machine is
 * named to the console, which then need not wait until it has missed it. Where a copy of the folder lies on another machine,
 * or the predecessor can't be looked for, nothing is said: two agents with one key must not act at once.
 */
export async function markProcess(
  stateDir: string,
  onTrouble: (words: string) => void,
): Promise<{ instance: string; replaces: string[] }> {
  const file = new StateFile<Mark>(path.join(stateDir, 'process.json'), (value) => markSchema.parse(value));
  const before = await file.loadOrSetAside(onTrouble);
  const here = { pid: process.pid, boot: await bootId(), namespace: await pidNamespace() };
  const isOver = before !== undefined && hasEnded(before, here);
  const replaces = isOver ? [before.instance, ...before.replaces].slice(0, REPLACES_MAX) : [];
  const instance = randomUUID();
  await file.save({ instance, replaces, ...here }).catch((error: unknown) => onTrouble(toMessage(error)));
  return { instance, replaces };
}

function hasEnded(before: Mark, here: Pick<Mark, 'boot' | 'namespace'>): boolean {
  const isHere = here.boot !== '' && before.boot === here.boot && before.namespace === here.namespace;
  if (!isHere) return false;
  try {
    process.kill(before.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function bootId(): Promise<string> {
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
}

function pidNamespace(): Promise<string> {
  return readlink('/proc/self/ns/pid').catch(() => '');
}
