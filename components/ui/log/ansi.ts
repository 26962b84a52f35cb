export interface AnsiPart {
  text: string;
  className: string;
}

const colours = [
  'text-text-3',
  'text-ansi-red',
  'text-ansi-green',
  'text-ansi-yellow',
  'text-ansi-blue',
  'text-ansi-magenta',
  'text-ansi-cyan',
  '',
];
// Colour sequences are captured; every other escape sequence is dropped.
const SEQUENCE = /\u001b(?:\[([0-9;]*)m|\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

/** A text with terminal colours, cut into parts of one look each. */
export function parseAnsi(text: string): AnsiPart[] {
  if (!text.includes('\u001b')) return [{ text, className: '' }];
  const parts: AnsiPart[] = [];
  let colour = '';
  let weight = '';
  let from = 0;
  const push = (to: number) => {
    if (to > from) parts.push({ text: text.slice(from, to), className: [colour, weight].filter(Boolean).join(' ') });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    push(match.index);
    from = match.index + match[0].length;
    if (match[1] === undefined) continue;
    for (const code of match[1].split(';').map(Number)) {
      if (code === 0) [colour, weight] = ['', ''];
      else if (code === 1) weight = 'font-semibold';
      else if (code === 2) colour = 'text-text-3';
      else if (code === 22) weight = '';
      else if (code === 39) colour = '';
      else if (code >= 30 && code <= 37) colour = colours[code - 30] ?? '';
      else if (code >= 90 && code <= 97) colour = colours[code - 90] ?? '';
      else if (code === 38 || code === 48) break;
    }
  }
  push(text.length);
  return parts;
}

/** The text without its escape sequences. */
export function plainText(text: string): string {
  return text.includes('\u001b') ? text.replace(SEQUENCE, '') : text;
}
