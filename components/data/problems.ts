import { ClientResponseError } from 'pocketbase';
import { inPageLanguage } from './server-words';

export interface Problem {
  /** Dotted, list items by number: `portMappings.0.hostPort`. */
  path: string;
  code: string;
  message: string;
}

function isProblem(value: unknown): value is { code: string; message: string } {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

function flatten(data: unknown, prefix: string): Problem[] {
  if (typeof data !== 'object' || data === null) return [];
  if (isProblem(data)) return [{ path: prefix, code: String(data.code ?? ''), message: data.message }];
  return Object.entries(data).flatMap(([key, value]) => flatten(value, prefix ? `${prefix}.${key}` : key));
}

/** The wrong fields that an API error names; none for any other error. */
export function fieldProblems(error: unknown): Problem[] {
  if (!(error instanceof ClientResponseError)) return [];
  const data: unknown = error.response?.data;
  return typeof data === 'object' && data !== null && !isProblem(data) ? flatten(data, '') : [];
}

export function statusOf(error: unknown): number {
  return error instanceof ClientResponseError ? error.status : 0;
}

/** Whether the call was given up because no answer came in time. */
export function hasTimedOut(error: unknown): boolean {
  const cause: unknown = error instanceof ClientResponseError ? error.originalError : undefined;
  return cause instanceof DOMException && cause.name === 'TimeoutError';
}

/** A session that ended and too many calls have a notice of their own. */
export function isToldElsewhere(error: unknown): boolean {
  return [401, 429].includes(statusOf(error));
}

/** The server's own sentence, or nothing when there was no answer. */
export function messageOf(error: unknown): string | undefined {
  if (!(error instanceof ClientResponseError) || error.status === 0) return undefined;
  const message: unknown = error.response?.message;
  return typeof message === 'string' && message ? inPageLanguage(message) : undefined;
}
