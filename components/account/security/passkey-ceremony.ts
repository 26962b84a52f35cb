import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

export type PasskeyTrouble = 'cancelled' | 'registered' | 'address' | 'unable' | 'insecure' | 'unsupported' | 'failed';

/** The browser made or used no passkey; `host` is where the console's passkeys belong. */
export class PasskeyError extends Error {
  constructor(
    readonly trouble: PasskeyTrouble,
    readonly host: string,
    cause?: unknown,
  ) {
    super(`The passkey ceremony failed: ${trouble}`, { cause });
  }
}

/** Why this browser can use no passkeys here; undefined where it can. */
export function findPasskeyTrouble(): 'insecure' | 'unsupported' | undefined {
  if (typeof globalThis.PublicKeyCredential === 'function') return undefined;
  return window.isSecureContext ? 'unsupported' : 'insecure';
}

/** Has the browser make a passkey. Throws PasskeyError. */
export function makePasskey(options: PublicKeyCredentialCreationOptionsJSON) {
  return attempt(options.rp.id ?? '', async () => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    return startRegistration({ optionsJSON: options });
  });
}

/** Has the browser use one of its passkeys. Throws PasskeyError. */
export function askForPasskey(options: PublicKeyCredentialRequestOptionsJSON) {
  return attempt(options.rpId ?? '', async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    return startAuthentication({ optionsJSON: options });
  });
}

async function attempt<T>(host: string, ceremony: () => Promise<T>): Promise<T> {
  const missing = findPasskeyTrouble();
  if (missing) throw new PasskeyError(missing, host);
  try {
    return await ceremony();
  } catch (error) {
    throw new PasskeyError(troubleOf(error), host, error);
  }
}

/** The library keeps the browser's name of the error. Browsers tell "cancelled" and "timed out" by one name. */
function troubleOf(error: unknown): PasskeyTrouble {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  switch (cause instanceof Error ? cause.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return 'cancelled';
    case 'InvalidStateError':
      return 'registered';
    case 'SecurityError':
      return 'address';
    case 'ConstraintError':
    case 'NotSupportedError':
      return 'unable';
    default:
      return 'failed';
  }
}
