import { limits } from '@/lib/vocabulary/limits';
import { readSearch, writeValue, type SearchPiece } from './read-search';
import type { SearchKey } from './search-filter';

/** What is typed at the caret: a key that is begun, or the value of one. */
export type SearchSpot =
  | { kind: 'key'; typed: string; piece: Pick<SearchPiece, 'start' | 'end' | 'isNot'> }
  | { kind: 'value'; key: SearchKey; typed: string; piece: SearchPiece };

export function spotAt(text: string, caret: number, keys: readonly SearchKey[]): SearchSpot | undefined {
  const piece = readSearch(text).find(({ start, end }) => start < caret && caret <= end);
  if (!piece) return { kind: 'key', typed: '', piece: { start: caret, end: caret, isNot: false } };
  if (piece.key === undefined) {
    const isNot = piece.raw.startsWith('-');
    return { kind: 'key', typed: piece.raw.slice(isNot ? 1 : 0), piece: { ...piece, isNot } };
  }
  const key = keys.find((each) => each.key === piece.key);
  return key && { kind: 'value', key, typed: piece.value, piece };
}

/** The keys that begin like what is typed, or whose name does. */
export function keysLike(typed: string, keys: readonly SearchKey[]): SearchKey[] {
  const begun = typed.toLowerCase();
  return keys.filter(({ key, label }) => key.startsWith(begun) || label.toLowerCase().startsWith(begun));
}

/** The text once a suggestion was taken, and where the caret is then. What would be too long a search stays as it is. */
export function completeSearch(
  text: string,
  { piece, ...spot }: SearchSpot,
  picked: string,
): { text: string; caret: number } {
  const minus = piece.isNot ? '-' : '';
  const word = spot.kind === 'key' ? `${minus}${picked}:` : `${minus}${spot.key.key}:${writeValue(picked)} `;
  const rest = text.slice(piece.end);
  const before = text.slice(0, piece.start) + word;
  // A word right behind a key would be its value.
  const blank = spot.kind === 'key' && /^\S/.test(rest) ? ' ' : '';
  const next = before + (spot.kind === 'value' ? rest.trimStart() : blank + rest);
  return next.trim().length > limits.searchLength ? { text, caret: piece.end } : { text: next, caret: before.length };
}
