/** A piece of what stands in a search box: `key:value`, `-key:value`, a word, or words in quotes. */
export interface SearchPiece {
  /** In lower case; undefined for plain text. */
  key?: string;
  isNot: boolean;
  value: string;
  /** As it was typed, and where. */
  raw: string;
  start: number;
  end: number;
}

const PIECE = /(-?)(?:([A-Za-z][A-Za-z_]*):)?(?:"([^"]*)"?|(\S*))/y;

/** The pieces of a search, in their order. Every text is a search: what is no `key:value` is plain text. */
export function readSearch(text: string): SearchPiece[] {
  const pieces: SearchPiece[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && /\s/.test(text[at]!)) at += 1;
    if (at >= text.length) return pieces;
    PIECE.lastIndex = at;
    const [raw = '', minus, key, inQuotes, plain = ''] = PIECE.exec(text) ?? [];
    const value = inQuotes ?? plain;
    const place = { raw, start: at, end: at + raw.length };
    if (key) pieces.push({ ...place, key: key.toLowerCase(), isNot: minus === '-', value });
    // A dash before a word without a key is the word's own.
    else pieces.push({ ...place, isNot: false, value: `${minus}${value}` });
    at += raw.length;
  }
}

/** A value as it is typed behind its key. */
export function writeValue(value: string): string {
  return /[\s"]/.test(value) || value === '' ? `"${value.replaceAll('"', '')}"` : value;
}
