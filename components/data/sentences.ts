/** Sentences of the server by their English pattern, in which `{0}`, `{1}` … stand for what differs. */
export type SentenceCatalog = Readonly<Record<string, string>>;

/** Longer ones are an engine's own. */
const MAX_CHARS = 1000;
const MAX_KEPT = 500;
const HOLE = /\{(\d+)\}/g;

interface Pattern {
  expression: RegExp;
  holes: string[];
  translation: string;
  fixedChars: number;
}

/**
 * Says sentences of the server in the catalog's language: the whole text, else each of its sentences by itself. What the catalog
 * does not know stays as it is.
 */
export function sentenceTranslator(catalog: SentenceCatalog): (text: string) => string {
  const known = Object.entries(catalog).filter(([, translation]) => translation !== '');
  const plain = new Map(known.filter(([english]) => !english.includes('{')));
  // The more of a pattern is fixed, the less it fits by chance.
  const patterns = known.filter(([english]) => english.includes('{')).map(patternOf);
  patterns.sort((one, other) => other.fixedChars - one.fixedChars);
  const kept = new Map<string, string>();

  function whole(text: string): string | undefined {
    const translation = plain.get(text);
    if (translation !== undefined) return translation;
    for (const { expression, holes, translation: pattern } of patterns) {
      const found = expression.exec(text);
      if (found) return pattern.replace(HOLE, (_, hole: string) => translate(found[holes.indexOf(hole) + 1] ?? ''));
    }
    return undefined;
  }

  function translate(text: string): string {
    if (text.length > MAX_CHARS || !text.includes(' ')) return text;
    const parts = text.split(/((?<=[.!?])\s+|\n+)/);
    return whole(text) ?? (parts.length === 1 ? text : parts.map((part) => whole(part) ?? part).join(''));
  }

  return (text) => {
    const before = kept.get(text);
    if (before !== undefined) return before;
    const said = translate(text);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(text, said);
    return said;
  };
}

function patternOf([english, translation]: [string, string]): Pattern {
  const holes = [...english.matchAll(HOLE)].map(([, hole]) => hole!);
  const fixed = english.split(/\{\d+\}/);
  const source = fixed.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([^]+?)');
  return { expression: new RegExp(`^${source}$`), holes, translation, fixedChars: fixed.join('').length };
}
