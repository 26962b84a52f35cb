/** What a word in a version means beside a number or its end: before it, or after. */
const WORDS: Record<string, number> = {
  dev: -5,
  a: -4,
  alpha: -4,
  b: -3,
  beta: -3,
  c: -2,
  pre: -2,
  preview: -2,
  rc: -2,
};
const [OTHER_WORD, LATER, NUMBER] = [1, 1, 2];

interface Part {
  weight: number;
  value: number | string;
}
const NONE: Part = { weight: 0, value: '' };

interface Parsed {
  epoch: number;
  /** The numbers that it begins with. */
  release: number[];
  /** What follows them, as in `rc1`. */
  parts: Part[];
  local: Part[];
}

function toParts(text: string): Part[] {
  return (text.match(/\d+|[a-z]+/g) ?? []).map((part) => {
    if (/^\d/.test(part)) return { weight: NUMBER, value: Number(part) };
    if (part === 'post' || part === 'rev' || part === 'r') return { weight: LATER, value: 'post' };
    const weight = WORDS[part];
    return weight === undefined ? { weight: OTHER_WORD, value: part } : { weight, value: '' };
  });
}

function parse(version: string): Parsed {
  const [, epoch = '0', rest = ''] = /^v?(?:(\d+)!)?(.*)$/i.exec(version.trim()) ?? [];
  const [main = '', local = ''] = rest.toLowerCase().split('+', 2);
  const [numbers = ''] = /^\d+(?:\.\d+)*/.exec(main) ?? [];
  const release = numbers === '' ? [] : numbers.split('.').map(Number);
  return { epoch: Number(epoch), release, parts: toParts(main.slice(numbers.length)), local: toParts(local) };
}

/** A version is as if it went on with zeros: 1.0 and 1.0.0 are the same. */
function compareNumbers(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const apart = (one[at] ?? 0) - (other[at] ?? 0);
    if (apart !== 0) return apart;
  }
  return 0;
}

function compareParts(one: readonly Part[], other: readonly Part[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [a, b] = [one[at] ?? NONE, other[at] ?? NONE];
    if (a.weight !== b.weight) return a.weight - b.weight;
    if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  }
  return 0;
}

function compare(one: Parsed, other: Parsed): number {
  return (
    one.epoch - other.epoch ||
    compareNumbers(one.release, other.release) ||
    compareParts(one.parts, other.parts) ||
    compareParts(one.local, other.local)
  );
}

/** Whether people get it only by name. */
export function isEarly(version: string): boolean {
  return parse(version).parts.some(({ weight }) => weight < NONE.weight);
}

/** The newest first, by how pip and conda count. */
export function newestFirst(versions: readonly string[]): string[] {
  return versions
    .map((version) => ({ version, parsed: parse(version) }))
    .sort((one, other) => compare(other.parsed, one.parsed))
    .map(({ version }) => version);
}

/** The newest of versions in their order that is no early one, else the newest. */
export function latestOf(ordered: readonly string[]): string {
  return ordered.find((version) => !isEarly(version)) ?? ordered[0] ?? '';
}
