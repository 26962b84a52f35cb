import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from './errors';

/** argon2id, 19 MiB, two passes, one lane. */
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes run on the thread pool that files and pictures share, so all but one core may hash at once. */
const width = Math.max(1, availableParallelism() - 1);
/** Calls that may wait their turn: a second or two of work. More are turned away, so that a flood of sign-ins piles up nothing. */
const WAITING_MAX = 64;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= WAITING_MAX) {
    throw new AppError('rate_limited', 'Too many sign-ins at once. Please try again.', { retryAfterSeconds: 2 });
  }
  if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The password's hash in PHC form. Takes about 10 ms off the event loop. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, OPTIONS));
}

let decoy: Promise<string> | undefined;

/** Whether the password is the hashed one. Costs one hash also where there is none, so that accounts can't be told apart. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(16).toString('hex')).catch((error: unknown) => {
    decoy = undefined;
    throw error;
  });
  const against = passwordHash || (await decoy);
  try {
    const matches = await inTurn(() => verify(against, password));
    return matches && Boolean(passwordHash);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return false;
  }
}
