import 'server-only';
import { importPKCS8, SignJWT } from 'jose';
import { nowMs } from '@/lib/clock';
import { AppError, type FieldProblem } from '@/lib/errors';
import { refuse, textsOf } from '@/lib/http/form-body';
import { BLANK } from '@/lib/records/fields/field';

const AUDIENCE = 'https://appleid.apple.com';
/** Half a year, the longest that Apple takes. */
const MAX_SECONDS = 15_777_000;
const PRIVATE_KEY = /-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----/;

/**
 * The client secret that Apple's sign-in asks for: a JWT signed with the developer's key. Throws AppError `invalid` with
 * the problems by field, or without any where the key can't sign.
 */
export async function createAppleClientSecret(body: Readonly<Record<string, unknown>>): Promise<string> {
  const { clientId, teamId, keyId, privateKey } = textsOf(body, 'clientId', 'teamId', 'keyId', 'privateKey');
  const duration = Number(body.duration ?? 0);
  refuse(
    {
      clientId: clientId === '' ? BLANK : undefined,
      teamId: checkIdentifier(teamId),
      keyId: checkIdentifier(keyId),
      privateKey: checkKey(privateKey),
      duration: checkDuration(duration),
    },
    'Invalid client secret data.',
  );
  const issuedAt = Math.floor(nowMs() / 1000);
  try {
    const key = await importPKCS8(privateKey.trim(), 'ES256');
    return await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
      .setAudience(AUDIENCE)
      .setSubject(clientId)
      .setIssuer(teamId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + duration)
      .sign(key);
  } catch {
    // No cause: a parser may quote the key, and causes are logged.
    throw new AppError('invalid', 'Failed to generate client secret. The private key is no P-256 key in PKCS #8 form.');
  }
}

function checkIdentifier(text: string): FieldProblem | undefined {
  if (text === '') return BLANK;
  if ([...text].length === 10) return undefined;
  return { code: 'validation_length_invalid', message: 'The length must be exactly 10.' };
}

function checkKey(text: string): FieldProblem | undefined {
  if (text === '') return BLANK;
  return PRIVATE_KEY.test(text)
    ? undefined
    : { code: 'validation_match_invalid', message: 'Must be in a valid format.' };
}

function checkDuration(seconds: number): FieldProblem | undefined {
  if (seconds === 0) return BLANK;
  if (!Number.isInteger(seconds)) return { code: 'validation_is_int', message: 'Must be an integer number.' };
  if (seconds < 1) {
    return { code: 'validation_min_greater_equal_than_required', message: 'Must be no less than 1.' };
  }
  return seconds > MAX_SECONDS
    ? { code: 'validation_max_less_equal_than_required', message: `Must be no greater than ${MAX_SECONDS}.` }
    : undefined;
}
