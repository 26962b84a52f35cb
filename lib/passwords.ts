import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { AppError } from './errors';

/** argon2id, 19 MiB, two passes, one lane. */
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes run on the thread pool that files and pictures share, so all but one core may hash at once. */
const width = Math.max(1, availableParallelism() - 1);
/** Calls that may wait their turn: a second or two of work. More are turned away, so that a flood of sign-ins piles up nothing. */
const WAITING_MAX = 64;

function createQueue(atOnce: number, what: string): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (waiting.length >= WAITING_MAX) {
      throw new AppError('rate_limited', `Too many ${what} at once. Please try again.`, { retryAfterSeconds: 2 });
    }
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

const signIns = createQueue(width, 'log-ins');
/** Whoever is signed in and changes passwords all the time shall keep nobody from signing in. */
const changes = createQueue(1, 'changes of passwords');

/** The password's hash in PHC form. Takes about 10 ms off the event loop. */
export function hashPassword(password: string): Promise<string> {
  return changes(() => hash(password, OPTIONS));
}

const BCRYPT_COST = 10;

/** The hash that reverse proxies understand, of a password of 72 bytes at most. Takes about 50 ms off the event loop. */
export function bcryptPassword(password: string): Promise<string> {
  return changes(() => bcrypt(password, { cost: BCRYPT_COST }));
}

let decoy: Promise<string> | undefined;

/** Whether the password is the hashed one. Costs one hash also where there is none, so that accounts can't be told apart. */
export function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  return verifyIn(signIns, passwordHash, password);
}

/** The same of someone who is signed in, among the changes of passwords. */
export function verifyOldPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  return verifyIn(changes, passwordHash, password);
}

async function verifyIn(inTurn: typeof signIns, passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= signIns(() => hash(randomBytes(16).toString('hex'), OPTIONS)).catch((error: unknown) => {
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
