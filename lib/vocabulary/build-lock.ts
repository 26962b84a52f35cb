import { plainPackageName } from './package-names';

/** A package as a build has put it in. */
export interface LockedPackage {
  manager: 'conda' | 'pypi';
  name: string;
  version: string;
  /** Of a conda package, as in `py312h1_0`. */
  build: string;
  /** Of a conda package: the address of the channel that it is from. */
  channel: string;
  /** Where it came from, where that is known. */
  url: string;
  hash: string;
}

export interface LockedEnvironment {
  name: string;
  /** Its Python; empty where it has none. */
  python: string;
  packages: LockedPackage[];
  /** Why nobody knows what it has, for people; empty where it is known. */
  problem: string;
}

/** An image that a build stood on. */
export interface LockedBase {
  name: string;
  imageId: string;
  /** By which a registry gives it; empty where nobody knows. */
  digest: string;
}

/** What a build has resolved. */
export interface BuildLock {
  bases: LockedBase[];
  environments: LockedEnvironment[];
}

/** One line of a comparison; an empty side has nothing of it. */
export interface LockChange {
  /** Empty for what is of the whole image. */
  environment: string;
  kind: LockedPackage['manager'] | 'base' | 'python';
  name: string;
  from: string;
  to: string;
}

export interface LockComparison {
  changes: LockChange[];
  /** What both have alike. */
  same: LockChange[];
}

/** What differs between two locks: bases, then each environment's Python and packages, by name. */
export function compareLocks(from: BuildLock, to: BuildLock): LockComparison {
  const [before, after] = [linesOf(from), linesOf(to)];
  const lines = [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const [one, other] = [before.get(key), after.get(key)];
    const { shown: _, ...line } = (one ?? other)!;
    return { ...line, from: one?.shown ?? '', to: other?.shown ?? '', isSame: one?.exact === other?.exact };
  });
  const ordered = lines.sort((one, other) => orderOf(one).localeCompare(orderOf(other)));
  const toChange = ({ environment, kind, name, from: was, to: is }: LockChange): LockChange => {
    return { environment, kind, name, from: was, to: is };
  };
  return {
    changes: ordered.filter(({ isSame }) => !isSame).map(toChange),
    same: ordered.filter(({ isSame }) => isSame).map(toChange),
  };
}

/** Whether a build could be made again from it. */
export function isWhole({ environments }: BuildLock): boolean {
  return environments.every(({ problem }) => problem === '');
}

interface Line extends Pick<LockChange, 'environment' | 'kind' | 'name'> {
  shown: string;
  /** Equal where it is the very same. */
  exact: string;
}

function linesOf({ bases, environments }: BuildLock): Map<string, Line> {
  const lines = new Map<string, Line>();
  const add = (line: Line): void => void lines.set(orderOf(line), line);
  for (const { name, imageId, digest } of bases) {
    add({ environment: '', kind: 'base', name, shown: shortId(digest || imageId), exact: imageId });
  }
  for (const { name: environment, python, packages } of environments) {
    if (python) add({ environment, kind: 'python', name: 'Python', shown: python, exact: python });
    for (const { manager, name, version, build, hash } of packages) {
      const shown = [version, build].filter(Boolean).join(' ');
      add({ environment, kind: manager, name, shown, exact: `${shown} ${hash}` });
    }
  }
  return lines;
}

const KINDS: readonly LockChange['kind'][] = ['base', 'python', 'conda', 'pypi'];

function orderOf({ environment, kind, name }: Pick<LockChange, 'environment' | 'kind' | 'name'>): string {
  const same = kind === 'pypi' ? plainPackageName(name) : name;
  return [environment, KINDS.indexOf(kind), same].join('\n');
}

/** As people compare them: `sha256:` and the first characters. */
export function shortId(id: string): string {
  return id.replace(/^sha256:/, '').slice(0, 12);
}
