import { createHash } from 'node:crypto';

/** On every answer of a console to an agent: its raw Ed25519 public key, and its signature, both base64url. */
export const CONSOLE_KEY_HEADER = 'x-berth-console-key';
export const SIGNATURE_HEADER = 'x-berth-signature';

export interface SignedAnswer {
  /** The request's own header, which no two requests share: an answer fits one request only. Empty while joining. */
  authorization: string;
  status: number;
  /** As sent. */
  body: string;
}

/** What a console signs of an answer. */
export function answerStatement({ authorization, status, body }: SignedAnswer): Buffer {
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
  return Buffer.from(['berth-answer-1', hash(authorization), status, hash(body)].join('\n'));
}
