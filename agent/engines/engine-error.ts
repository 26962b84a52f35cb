export type EngineErrorKind =
  | 'unreachable'
  | 'not-found'
  | 'invalid'
  | 'conflict'
  /** Something has the name already. */
  | 'exists'
  /** There is no room for it. */
  | 'full'
  /** The engine is in the middle of something; the same request may do later. */
  | 'busy'
  | 'cancelled'
  | 'failed';

/** An engine's refusal or failure. `message` holds the engine's own words, then what to do where that is known. */
export class EngineError extends Error {
  override name = 'EngineError';

  constructor(
    readonly kind: EngineErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether the same request may do better later without anyone changing anything. */
  get isTransient(): boolean {
    return this.kind === 'unreachable' || this.kind === 'busy';
  }
}

/** The words of anything that was thrown. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
