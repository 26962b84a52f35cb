/** The pieces of a filter text. */
export type Token =
  | { type: 'identifier'; text: string }
  | { type: 'number'; value: number; text: string }
  | { type: 'text'; value: string }
  | { type: 'operator'; op: Operator; any: boolean }
  | { type: 'join'; join: '&&' | '||' }
  | { type: '(' }
  | { type: ')' };

export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~' | '!~';

/** The filter is not one; callers answer the general 400. */
export class FilterSyntaxError extends Error {}

const IDENTIFIER = /[A-Za-z_@#][A-Za-z0-9_.:]*/y;
const NUMBER = /-?\d+(?:\.\d+)?/y;
const OPERATOR = /\??(?:!=|>=|<=|!~|=|>|<|~)/y;
const JOIN = /&&|\|\|/y;
const BLANK = /(?:[ \t\r\n]+|\/\/[^\n]*)+/y;

/** Splits a filter into tokens. Throws FilterSyntaxError on anything that is none. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  while (at < source.length) {
    if (match(BLANK) !== undefined) continue;
    const char = source[at]!;
    if (char === '(' || char === ')') {
      tokens.push({ type: char });
      at += 1;
    } else if (char === "'" || char === '"') {
      const end = findTextEnd(source, at);
      tokens.push({ type: 'text', value: unescapeText(source.slice(at + 1, end), char) });
      at = end + 1;
    } else {
      tokens.push(readWord(match));
    }
  }
  return tokens;
}

function readWord(match: (pattern: RegExp) => string | undefined): Token {
  const identifier = match(IDENTIFIER);
  if (identifier !== undefined) {
    if (!/[A-Za-z0-9_]$/.test(identifier)) throw new FilterSyntaxError('identifier ends badly');
    return { type: 'identifier', text: identifier };
  }
  const number = match(NUMBER);
  if (number !== undefined) return { type: 'number', value: Number(number), text: number };
  const join = match(JOIN);
  if (join !== undefined) return { type: 'join', join: join as '&&' | '||' };
  const operator = match(OPERATOR);
  if (operator === undefined) throw new FilterSyntaxError('unknown character');
  const any = operator.startsWith('?');
  return { type: 'operator', op: operator.slice(any ? 1 : 0) as Operator, any };
}

/** A text ends at the next quote of its kind that has no backslash right before it. */
function findTextEnd(source: string, start: number): number {
  const quote = source[start]!;
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === quote && source[at - 1] !== '\\') return at;
  }
  throw new FilterSyntaxError('text without an end');
}

/** Only the text's own quote can be escaped; every other backslash stands for itself. */
function unescapeText(raw: string, quote: string): string {
  return raw.replaceAll(`\\${quote}`, quote);
}
