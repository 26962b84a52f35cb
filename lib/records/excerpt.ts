import { decodeHTML } from 'entities';

const words = (text: string): Set<string> => new Set(text.split(' '));
/** Left out with all they hold. */
const DROPPED = words(
  'head title style script iframe embed applet object svg img picture dialog template button form textarea input select option',
);
const EMPTY = words('area base br col embed hr img input link meta source track wbr');
/** What they hold is text up to their end tag, whatever it looks like. */
const RAW = words('title style script iframe textarea');
/** All others count as a blank. */
const INLINE = words('a abbr acronym b bdo big br button cite code em i label q small span strong strike sub sup time');

/** The text of an HTML value, at most `max` bytes: no tags, entities decoded, blanks collapsed. Takes time in step with its length. */
export function excerpt(html: string, { max, withDots }: { max: number; withDots: boolean }): string {
  const text = textOf(html, max).trim();
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  const cut = withoutBrokenEnd(bytes.subarray(0, max).toString('utf8')).trim();
  return withDots ? `${cut}...` : cut;
}

/** A character that was cut in two reads as replacement characters at the end. */
function withoutBrokenEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\ufffd') end -= 1;
  return text.slice(0, end);
}

/** More than `max` characters of the text, if there are so many. */
function textOf(html: string, max: number): string {
  let text = '';
  const add = (piece: string): void => {
    const collapsed = piece.replace(/[\t\n\f\r ]+/g, ' ');
    text += text === '' || text.endsWith(' ') ? collapsed.replace(/^ /, '') : collapsed;
  };
  let at = 0;
  while (at < html.length && text.length <= max + 1) {
    const open = nextMarkup(html, at);
    add(decodeHTML(html.slice(at, open)));
    const markup = readMarkup(html, open);
    if (markup.name !== undefined && !INLINE.has(markup.name) && !DROPPED.has(markup.name)) add(' ');
    at = markup.isOpening && DROPPED.has(markup.name!) ? endOfElement(html, markup.name!, markup.end) : markup.end;
  }
  return text;
}

/** Where the next tag or comment begins; a `<` before anything else is text. */
function nextMarkup(html: string, from: number): number {
  const pattern = /<[a-z/!?]/gi;
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

interface Markup {
  /** Of a tag, in lower case. */
  name?: string;
  isOpening: boolean;
  /** Behind it; the end of all where it is not closed. */
  end: number;
}

function readMarkup(html: string, open: number): Markup {
  const [, slash, name] = /^<(\/?)([a-z][^\s/>]*)/i.exec(html.slice(open, open + 32)) ?? [];
  if (name !== undefined) {
    const end = endOfTag(html, open + 1);
    const isSelfClosing = html[end - 2] === '/' && name.toLowerCase() === 'svg';
    return { name: name.toLowerCase(), isOpening: slash === '' && !isSelfClosing, end };
  }
  const isComment = html.startsWith('<!--', open);
  if (!isComment) return { isOpening: false, end: behind(html, '>', open) };
  const isEmpty = html.startsWith('>', open + 4) || html.startsWith('->', open + 4);
  return { isOpening: false, end: isEmpty ? behind(html, '>', open) : behind(html, '-->', open + 4) };
}

function behind(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

/** Behind the tag's `>`; one in a quoted value does not count. */
function endOfTag(html: string, from: number): number {
  const pattern = />|=\s*(["'])/g;
  pattern.lastIndex = from;
  for (;;) {
    const found = pattern.exec(html);
    if (!found) return html.length;
    if (found[1] === undefined) return pattern.lastIndex;
    pattern.lastIndex = behind(html, found[1], pattern.lastIndex);
  }
}

/** Behind the element's end tag, those of the same name inside it passed over; the end of all where it has none. */
function endOfElement(html: string, name: string, from: number): number {
  if (EMPTY.has(name)) return from;
  const pattern = new RegExp(`<(/?)${name}(?=[\\s/>])`, 'gi');
  pattern.lastIndex = from;
  let depth = 1;
  while (depth > 0) {
    const found = pattern.exec(html);
    if (!found) return html.length;
    if (found[1] === '/') depth -= 1;
    else if (!RAW.has(name)) depth += 1;
    pattern.lastIndex = endOfTag(html, pattern.lastIndex);
  }
  return pattern.lastIndex;
}
