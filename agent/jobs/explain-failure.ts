/** As much of a log's end as is looked through for why a build failed. */
const TAIL_CHARS = 64 * 1024;
const WORDS_MAX = 2000;
const NAMED_MAX = 8;

/** The end of what a job prints. */
export class LogTail {
  private held = '';

  append(text: string): void {
    this.held += text;
    // Cut in large steps: cutting at every append would copy the whole text each time.
    if (this.held.length > 2 * TAIL_CHARS) this.held = this.held.slice(-TAIL_CHARS);
  }

  get text(): string {
    return this.held.slice(-TAIL_CHARS);
  }
}

/** Why the environments of an image could not be made, for people, by what the tools printed; empty where they say nothing that is known. */
export function explainFailure(log: string): string {
  const lines = log.split('\n').map((line) => line.replace(/^#\d+ ?(?:\d+\.\d+ )?/, ''));
  const words = byPipConflict(lines) || byPipMissing(lines) || byUv(lines) || byMamba(lines) || byBerth(lines);
  if (words === '') return '';
  const named = [...log.matchAll(/\/opt\/berth\/environments\/([\w.-]+)/g)].at(-1)?.[1];
  return `${named ? `Environment ${named}: ` : ''}${words}`.slice(0, WORDS_MAX);
}

/** `a 1.0 depends on b<2`, `The user requested b==3`, one a line below its heading. */
function byPipConflict(lines: readonly string[]): string {
  const from = lines.findLastIndex((line) => /^The conflict is caused by:/.test(line.trim()));
  if (from < 0) return '';
  const causes: string[] = [];
  for (const line of lines.slice(from + 1)) {
    if (line.trim() === '') break;
    causes.push(toCause(line.trim()));
  }
  const [first = '', ...others] = [...new Set(causes)].slice(0, NAMED_MAX);
  const rest = others.join(', and ');
  return first && `${first}${rest && `, but ${rest}`}.`;
}

function toCause(line: string): string {
  const [, asked] = /^The user requested (?:\(constraint\) )?(.+)$/.exec(line) ?? [];
  return asked ? `${asked} is asked for` : line.replace(' depends on ', ' needs ');
}

const NOT_FOUND = 'Could not find a version that satisfies the requirement ';

/** `… requirement part>=1 (from app) (from versions: 1.0, 2.0)` */
function byPipMissing(lines: readonly string[]): string {
  const line = lines.findLast((each) => each.includes(NOT_FOUND));
  if (!line) return '';
  const [wanted = '', ...origins] = line.slice(line.indexOf(NOT_FOUND) + NOT_FOUND.length).split(' (from ');
  const plain = origins.map((origin) => origin.replace(/\)\s*$/, ''));
  const by = plain.find((origin) => !/^(?:versions:|-r )/.test(origin));
  const found = plain.find((origin) => origin.startsWith('versions: '))?.slice('versions: '.length) ?? 'none';
  const versions = found.split(', ').slice(-NAMED_MAX).join(', ');
  const has = found === 'none' ? 'the index does not have it' : `the index has ${versions}`;
  return `nothing fits ${wanted}${by ? `, which ${by} needs` : ''}, ${has}.`;
}

function byUv(lines: readonly string[]): string {
  const from = lines.findLastIndex((line) => line.includes('No solution found when resolving'));
  if (from < 0) return '';
  const told = lines.slice(from + 1).filter((line) => /^\s{2,}/.test(line));
  return told
    .join(' ')
    .replace(/[╰─▶│├]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A tree of what can't be had together, drawn with lines. */
function byMamba(lines: readonly string[]): string {
  const from = lines.findLastIndex((line) =>
    /The following packages? (?:is incompatible|are incompatible|could not be installed)/.test(line),
  );
  if (from >= 0) {
    const told = lines.slice(from + 1).filter((line) => /^[\s│]*[├└]─/.test(line));
    const sentences = told.map((line) =>
      line
        .replace(/[├└─│]/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    return sentences
      .slice(0, 2 * NAMED_MAX)
      .join(' ')
      .replace(/[,;]$/, '.');
  }
  const said = lines.findLast((line) => /^(?:critical|error)\s+libmamba /.test(line));
  return said ? said.replace(/^\w+\s+libmamba /, '').trim() : '';
}

/** What the build's own scripts say. */
function byBerth(lines: readonly string[]): string {
  const said = lines.filter((line) => line.startsWith('berth: ')).map((line) => line.slice('berth: '.length).trim());
  return said.slice(-NAMED_MAX).join('\n');
}
