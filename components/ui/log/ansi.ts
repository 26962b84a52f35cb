import Anser from 'anser';

export interface AnsiPart {
  text: string;
  className: string;
  /** Colours beyond the named ones. */
  style?: { color?: string; backgroundColor?: string };
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

const GROUNDS: Readonly<Record<string, string>> = {
  'ansi-black': 'bg-active',
  'ansi-red': 'bg-ansi-red/25',
  'ansi-green': 'bg-ansi-green/25',
  'ansi-yellow': 'bg-ansi-yellow/25',
  'ansi-blue': 'bg-ansi-blue/25',
  'ansi-magenta': 'bg-ansi-magenta/25',
  'ansi-cyan': 'bg-ansi-cyan/25',
  'ansi-white': 'bg-active',
};

/** A text with terminal colours, cut into parts of one look each: the named ones as the theme has them, others near to what was meant. */
export function parseAnsi(text: string): AnsiPart[] {
  if (!text.includes('\u001b')) return [{ text, className: '' }];
  const parts = Anser.ansiToJson(text.replace(OTHER_SEQUENCES, ''), { use_classes: true, remove_empty: true });
  return parts.map(({ content, fg, bg, fg_truecolor, bg_truecolor, decorations }) => {
    const looks = [named(COLOURS, fg), named(GROUNDS, bg), ...decorations.map((name) => DECORATIONS[name])];
    const color = rgbOf(fg, fg_truecolor);
    const ground = rgbOf(bg, bg_truecolor);
    // Mixed with the theme's own, so that a text can be read on every ground.
    const style = {
      ...(color && { color: `color-mix(in oklab, rgb(${color}) 65%, var(--color-text))` }),
      ...(ground && { backgroundColor: `color-mix(in oklab, rgb(${ground}) 25%, transparent)` }),
    };
    const className = looks.filter(Boolean).join(' ');
    return { text: content, className, ...((color || ground) && { style }) };
  });
}

function named(looks: Readonly<Record<string, string>>, colour: string | null): string | undefined {
  return looks[colour?.replace('-bright', '') ?? ''];
}

/** Red, green and blue of a colour of the palette of 256, or of one that is given so; nothing for a named one. */
function rgbOf(colour: string | null, truecolor: string | null): string | undefined {
  if (colour === 'ansi-truecolor') return truecolor ?? undefined;
  const number = Number(/^ansi-palette-(\d+)$/.exec(colour ?? '')?.[1] ?? NaN);
  if (Number.isNaN(number) || number < 16) return undefined;
  if (number >= 232)
    return Array(3)
      .fill(8 + (number - 232) * 10)
      .join(', ');
  const parts = [36, 6, 1].map((size) => Math.floor((number - 16) / size) % 6);
  return parts.map((part) => (part === 0 ? 0 : 55 + part * 40)).join(', ');
}

/** The text without its escape sequences. */
export function plainText(text: string): string {
  return text.includes('\u001b') ? text.replace(OTHER_SEQUENCES, '').replace(ANY_SEQUENCE, '') : text;
}
