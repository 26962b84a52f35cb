const DROPPED = new Set(
  'script style svg iframe object template button select textarea form noscript canvas'.split(' '),
);
const BLOCK = new Set(
  'address article aside blockquote br dd div dl dt fieldset figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);
const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);

/** The text of an HTML value, at most `max` bytes: no tags, entities decoded, blanks collapsed. Takes time in step with its length. */
export function excerpt(html: string, { max, withDots }: { max: number; withDots: boolean }): string {
  const text = textOf(html)
    .replace(/&(#x?[0-9a-f]+|\w+);/gi, decodeEntity)
    .replace(/\s+/g, ' ')
    .trim();
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  const cut = withoutBrokenEnd(bytes.subarray(0, max).toString('utf8')).trim();
  return withDots ? `${cut}...` : cut;
}

/** Drops tags, with all inside for those that hold no text, in one pass: patterns over the whole value would be quadratic. */
function textOf(html: string): string {
  const ends = new ElementEnds(html);
  let text = '';
  let at = 0;
  for (;;) {
    const open = html.indexOf('<', at);
    const close = open < 0 ? -1 : html.indexOf('>', open);
    if (close < 0) return text + html.slice(at);
    text += html.slice(at, open);
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9]*)\b/i.exec(html.slice(open, Math.min(close, open + 20))) ?? [];
    const tag = name.toLowerCase();
    const end = slash === '' && DROPPED.has(tag) ? ends.after(tag, open) : -1;
    if (end >= 0 || BLOCK.has(tag)) text += ' ';
    at = end >= 0 ? end : close + 1;
  }
}

/** Where elements end. Each end tag is found once, however many elements begin before it. */
class ElementEnds {
  private readonly found = new Map<string, { start: number; end: number }>();

  constructor(private readonly html: string) {}

  /** The place behind the next end tag of that name; -1 when there is none. */
  after(tag: string, from: number): number {
    const known = this.found.get(tag);
    if (known && (known.end < 0 || known.start >= from)) return known.end;
    const pattern = new RegExp(`</${tag}\\s*>`, 'gi');
    pattern.lastIndex = from;
    const match = pattern.exec(this.html);
    const next = match ? { start: match.index, end: pattern.lastIndex } : { start: -1, end: -1 };
    this.found.set(tag, next);
    return next.end;
  }
}

/** A character that was cut in two reads as replacement characters at the end. */
function withoutBrokenEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\ufffd') end -= 1;
  return text.slice(0, end);
}

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? whole;
  const isHex = name[1] === 'x' || name[1] === 'X';
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
