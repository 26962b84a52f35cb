import { anyOf, fieldHas } from './filter-text';
import { readSearch, type SearchPiece } from './read-search';
import type { SearchTerm } from './search-terms';

/** A key of a list's search box. */
export interface SearchKey extends SearchTerm {
  key: string;
  label: string;
  /** All values there are, with what they are called. */
  values: { value: string; label: string }[];
}

/** What could not be taken as it was meant, and was searched for as text. */
export interface SearchHint {
  kind: 'unknownKey' | 'unknownValue' | 'tooMany';
  key: string;
  value: string;
}

export interface SearchMeaning {
  /** Empty where it narrows nothing. */
  filter: string;
  hints: SearchHint[];
}

interface SearchWords {
  keys: readonly SearchKey[];
  /** Where plain text is searched. */
  fields: readonly string[];
}

/** Words that are searched for each on its own; more are taken as one text, to keep the filter short. */
const WORDS = 8;
const TERMS = 16;

/** What a search asks the record API for. Nothing that was typed is lost: what is no term of this list is text. */
export function readMeaning(text: string, { keys, fields }: SearchWords): SearchMeaning {
  const hints: SearchHint[] = [];
  const words: string[] = [];
  const byKey = new Map<SearchKey, { yes: string[]; no: string[] }>();
  let terms = 0;
  for (const piece of readSearch(text)) {
    const known = keys.find(({ key }) => key === piece.key);
    if (known && piece.value === '') continue;
    const value = known && valueOf(known, piece);
    if (known && value !== undefined && terms < TERMS) {
      terms += 1;
      const sides = byKey.get(known) ?? { yes: [], no: [] };
      sides[piece.isNot ? 'no' : 'yes'].push(known.toFilter(value, piece.isNot));
      byKey.set(known, sides);
      continue;
    }
    if (piece.key !== undefined) {
      const kind = !known ? 'unknownKey' : value === undefined ? 'unknownValue' : 'tooMany';
      hints.push({ kind, key: piece.key, value: piece.value });
    }
    const word = piece.key === undefined ? piece.value : piece.raw.replaceAll('"', '');
    if (word !== '') words.push(word);
  }
  const parts = [...byKey].flatMap(([{ isMany }, { yes, no }]) => [
    ...(isMany || yes.length === 0 ? yes : [anyOf(yes)]),
    ...no,
  ]);
  const texts = words.length > WORDS ? [words.join(' ')] : words;
  const found = texts.map((word) => anyOf(fields.map((field) => fieldHas(field, word))));
  return { filter: [...parts, ...found].join(' && '), hints };
}

/** The value that is meant: one of those there are, by itself or by what it is called, or any that the key takes. */
function valueOf({ values, takes, suggest }: SearchKey, { value }: SearchPiece): string | undefined {
  const same = (text: string) => text.toLowerCase() === value.toLowerCase();
  const meant = values.find((each) => same(each.value)) ?? values.find(({ label }) => same(label));
  if (meant) return meant.value;
  return suggest && (takes?.(value) ?? true) ? value : undefined;
}
