import 'server-only';
import { seal } from '@/lib/secrets';

/**
 * Seals one secret of a list: a new value is sealed; an empty one keeps what is stored for the same entry, so that a form
 * can send a record back without knowing its secrets.
 */
export function sealOrKeep(value: string, stored: string | undefined): string {
  if (value !== '') return seal(value);
  return stored ?? '';
}

/** The stored list, or an empty one for a record that never got any. */
export function storedList<T>(stored: unknown): T[] {
  return Array.isArray(stored) ? (stored as T[]) : [];
}
