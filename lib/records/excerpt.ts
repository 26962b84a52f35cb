const DROPPED =
  /<(script|style|svg|iframe|object|template|button|select|textarea|form|noscript|canvas)\b[\s\S]*?<\/\1\s*>/gi;
const BLOCK =
  /<\/?(?:address|article|aside|blockquote|br|dd|div|dl|dt|fieldset|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)\b[^>]*>/gi;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** The text of an HTML value, at most `max` bytes: no tags, entities decoded, blanks collapsed. */
export function excerpt(html: string, { max, withDots }: { max: number; withDots: boolean }): string {
  const text = html
    .replace(DROPPED, ' ')
    .replace(BLOCK, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#x?[0-9a-f]+|\w+);/gi, decodeEntity)
    .replace(/\s+/g, ' ')
    .trim();
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  const cut = bytes
    .subarray(0, max)
    .toString('utf8')
    .replace(/\ufffd+$/, '')
    .trim();
  return withDots ? `${cut}...` : cut;
}

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
  const isHex = name[1] === 'x' || name[1] === 'X';
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
