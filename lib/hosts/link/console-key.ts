import 'server-only';
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { answerStatement, type SignedAnswer } from '@/lib/protocol/answer-signature';
import { keyFor } from '@/lib/secrets';
import { singleton } from '@/lib/singleton';

/** Before the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

interface ConsoleKey {
  key: KeyObject;
  publicKey: string;
}

/** Made of the installation's secret, so it is the same after a restart, a move and a restore. */
function consoleKey(): ConsoleKey {
  return singleton('console-key', () => {
    const der = Buffer.concat([PKCS8_HEAD, keyFor('console-signing')]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return { key, publicKey: String(createPublicKey(key).export({ format: 'jwk' }).x) };
  });
}

/** What agents know this console by: its raw Ed25519 public key, base64url. */
export function consolePublicKey(): string {
  return consoleKey().publicKey;
}

/** The console's signature under an answer to an agent, base64url. */
export function signAnswer(answer: SignedAnswer): string {
  return sign(null, answerStatement(answer), consoleKey().key).toString('base64url');
}
