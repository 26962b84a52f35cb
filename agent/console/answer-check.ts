import { createPublicKey, verify } from 'node:crypto';
import {
  answerStatement,
  CONSOLE_KEY_HEADER,
  SIGNATURE_HEADER,
  type SignedAnswer,
} from '../../lib/protocol/answer-signature';

/** Raw Ed25519, base64url. */
export const CONSOLE_KEY = /^[A-Za-z0-9_-]{43}$/;

type Headers = Record<string, string | string[] | undefined>;

function isSignedBy(publicKey: string, signature: string, answer: SignedAnswer): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  return verify(null, answerStatement(answer), key, Buffer.from(signature, 'base64url'));
}

/**
 * The key that signed the answer; empty for a console that signs nothing, while none is known. Throws when the answer is not
 * by the console whose key is known: whoever is in between has no say here.
 */
export function checkAnswer(known: string, headers: Headers, answer: SignedAnswer): string {
  const [told, signature] = [headers[CONSOLE_KEY_HEADER], headers[SIGNATURE_HEADER]];
  if (known === '' && told === undefined) return '';
  const key = known === '' ? told : known;
  const isFine =
    typeof key === 'string' &&
    CONSOLE_KEY.test(key) &&
    typeof signature === 'string' &&
    isSignedBy(key, signature, answer);
  if (!isFine) throw new Error('The answer is not signed by the console that this host knows');
  return key;
}
