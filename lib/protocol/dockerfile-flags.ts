/** An option before an instruction's arguments: `--name=value`. */
export interface Flag {
  name: string;
  /** Undefined where there is no equals sign. */
  value: string | undefined;
}

export interface FlaggedText {
  flags: Flag[];
  /** What follows the options, as it stands. */
  rest: string;
}

/** The options at the front of an instruction. Undefined where one holds quotes or escapes: builders differ on those. */
export function readFlags(text: string): FlaggedText | undefined {
  const flags: Flag[] = [];
  let rest = text.trimStart();
  while (rest.startsWith('--')) {
    const word = /^\S+/.exec(rest)![0];
    rest = rest.slice(word.length).trimStart();
    if (/["'\\`\u0085]/.test(word)) return undefined;
    if (word === '--') break;
    const equals = word.indexOf('=');
    flags.push({
      name: word.slice(2, equals < 0 ? undefined : equals),
      value: equals < 0 ? undefined : word.slice(equals + 1),
    });
  }
  return { flags, rest };
}

export function writeFlags({ flags, rest }: FlaggedText): string {
  const words = flags.map(({ name, value }) => (value === undefined ? `--${name}` : `--${name}=${value}`));
  return [...words, rest].join(' ').trim();
}

/** Parts of a `--mount`, as in `type=bind,from=x`: names in lower case. */
export function readMount(value: string): Flag[] {
  return value.split(',').map((part) => {
    const equals = part.indexOf('=');
    return {
      name: part.slice(0, equals < 0 ? undefined : equals).toLowerCase(),
      value: equals < 0 ? undefined : part.slice(equals + 1),
    };
  });
}

export function writeMount(parts: readonly Flag[]): string {
  return parts.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)).join(',');
}

/** The arguments of COPY and ADD, as words or as JSON; undefined for what begins as JSON and is none. */
export function readArguments(rest: string): string[] | undefined {
  if (!rest.startsWith('[')) return rest.split(/\s+/).filter((word) => word !== '');
  try {
    const list: unknown = JSON.parse(rest);
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

/** What a builder fetches over the network rather than from the build's files; empty when it is a file. */
export function remoteSource(word: string): string {
  const plain = word.replace(/["']/g, '').replace(/[\\`](.)/g, '$1');
  if (/^(https?|git|ssh|ftp):\/\//i.test(plain) || /^[\w.-]+@[\w.-]+:/.test(plain)) return plain;
  const before = plain.split('$')[0]!;
  const isOpen = plain.includes('$') && REMOTE.some((start) => start.startsWith(before) || before.startsWith(start));
  return isOpen ? plain : '';
}

const REMOTE = ['http://', 'https://', 'git://', 'ssh://', 'git@'];

/** Why a build step may not be as it is: it would leave the build's own files and network. Empty when it may. */
export function describeReach(word: string, rest: string): string {
  const read = readFlags(rest);
  if (!read) return 'write its options without quotes and escapes.';
  for (const { name, value } of read.flags) {
    const isUsual = value === 'default' || value === 'none';
    if (word === 'RUN' && name === 'network' && !isUsual) return "a build step can't use the network of the host.";
    if (word === 'RUN' && name === 'security' && value !== 'sandbox') return 'a build step runs in its sandbox.';
  }
  return '';
}

/** Why a trigger that a base image brings along may not run in a build; empty when it may. */
export function describeTrigger(word: string, rest: string): string {
  const reach = describeReach(word, rest);
  if (reach) return reach;
  const { flags, rest: words } = readFlags(rest)!;
  const takesImage = flags.some(
    ({ name, value = '' }) =>
      name === 'from' || (name === 'mount' && readMount(value).some((part) => part.name === 'from')),
  );
  if (takesImage) return 'a trigger takes nothing out of other images.';
  const sources = word === 'ADD' ? readArguments(words) : [];
  const isLocal = sources !== undefined && sources.slice(0, -1).every((source) => remoteSource(source) === '');
  return isLocal ? '' : 'a trigger fetches nothing over the network.';
}
