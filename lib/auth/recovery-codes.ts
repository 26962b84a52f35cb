import 'server-only';
import { createHmac } from 'node:crypto';
import { newReadableText } from '@/lib/ids';
import { keyFor } from '@/lib/secrets';

const COUNT = 10;
const GROUPS = 3;
const GROUP_CHARS = 4;

/** Ten codes like `k3v9-x2mp-7qhd`: 60 bits each. */
export function newRecoveryCodes(): string[] {
  const group = () => newReadableText(GROUP_CHARS);
  return Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, group).join('-'));
}

/**
 * What is stored of a code, however it was typed. With a key of the installation: a code is short enough to be written down,
 * so a stolen database alone must not do to guess it.
 */
export function recoveryCodeHash(accountId: string, code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, '');
  return createHmac('sha256', keyFor('recovery-codes')).update(`${accountId}/${plain}`).digest('hex');
}
