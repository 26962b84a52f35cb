import Anser from 'anser';

export interface AnsiPart {
  text: string;
  className: string;
}

// Anser knows colours and weights; whatever else terminals are told (cursors, titles, character sets) is dropped before.
const OTHER_SEQUENCES = /\u001b(?:\[[0-9;?]*[ -/]*(?![m])[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
const ANY_SEQUENCE = /\u001b\[[0-9;]*m/g;

const COLOURS: Readonly<Record<string, string>> = {
  'ansi-black': 'text-text-3',
  'ansi-red': 'text-ansi-red',
  'ansi-green': 'text-ansi-green',
  'ansi-yellow': 'text-ansi-yellow',
  'ansi-blue': 'text-ansi-blue',
  'ansi-magenta': 'text-ansi-magenta',
  'ansi-cyan': 'text-ansi-cyan',
};
const DECORATIONS: Readonly<Record<string, string>> = {
  bold: 'font-semibold',
  dim: 'text-text-3',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'line-through',
  hidden: 'invisible',
};

/** A text with terminal colours, cut into parts of one look each. Colours beyond the eight named ones are left plain. */
export function parseAnsi(text: string): AnsiPart[] {
  if (!text.includes('\u001b')) return [{ text, className: '' }];
  const parts = Anser.ansiToJson(text.replace(OTHER_SEQUENCES, ''), { use_classes: true, remove_empty: true });
  return parts.map(({ content, fg, decorations }) => {
    const looks = [COLOURS[fg?.replace('-bright', '') ?? ''], ...decorations.map((name) => DECORATIONS[name])];
    return { text: content, className: looks.filter(Boolean).join(' ') };
  });
}

/** The text without its escape sequences. */
export function plainText(text: string): string {
  return text.includes('\u001b') ? text.replace(OTHER_SEQUENCES, '').replace(ANY_SEQUENCE, '') : text;
}
