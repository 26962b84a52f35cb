import { lockLimits } from '@/lib/protocol/calls';
import type { LockedEnvironment, LockedPackage } from '@/lib/vocabulary/build-lock';
import { plainPackageName } from '@/lib/vocabulary/package-names';
import { LOCK_HEAD } from '../generator/scripts';

/** Packages of one environment that are kept. */
const PACKAGES_MAX = 5000;

const PYTHON = /^python (\d[\w.+]{0,49})$/;
const PYPI = /^pypi ([A-Za-z0-9](?:[A-Za-z0-9._-]{0,198}[A-Za-z0-9])?) ([A-Za-z0-9][A-Za-z0-9.!+_-]{0,99})$/;
const CONDA_FOLDER = /^(?:https?|file):\/\/[\w.~:/%+!-]{1,1000}\/$/;
const CONDA_FILE = /^([\w.+!-]{1,300})(\.conda|\.tar\.bz2)$/;
const CONDA_NAME = /^[A-Za-z0-9_][\w.-]{0,198}$/;
const CONDA_VERSION = /^[A-Za-z0-9][\w.!+]{0,98}$/;
const HASH = /^(?:sha256:)?[0-9a-f]{32,64}$/;
const LINE_MAX = 2000;

/**
 * Reads what an image says of one of its environments. The text is of strangers: a line that is anything but what the build's own
 * script writes makes all of it unreadable, and is not quoted.
 */
export function readLockText(name: string, text: string): LockedEnvironment {
  const refuse = (problem: string): LockedEnvironment => ({ name, python: '', packages: [], problem });
  if (text.length > lockLimits.fileBytes) return refuse('It is too large.');
  const lines = text.split('\n');
  if (lines.shift() !== LOCK_HEAD || lines.pop() !== '') return refuse('It is not what the build was to write there.');
  if (lines.length > PACKAGES_MAX + 1) return refuse(`It has more than ${PACKAGES_MAX} packages.`);
  const packages = new Map<string, LockedPackage>();
  let python = '';
  for (const [index, line] of lines.entries()) {
    if (line.length > LINE_MAX) return refuse(`Its line ${index + 2} is too long.`);
    const version = PYTHON.exec(line)?.[1];
    const read = version === undefined ? (readPypi(line) ?? readConda(line)) : undefined;
    if (version !== undefined) python = version;
    else if (!read) return refuse(`Its line ${index + 2} can not be read.`);
    else packages.set(`${read.manager} ${plainPackageName(read.name)}`, read);
  }
  return { name, python, packages: [...packages.values()], problem: '' };
}

function readPypi(line: string): LockedPackage | undefined {
  const [, name, version] = PYPI.exec(line) ?? [];
  if (!name || !version) return undefined;
  return { manager: 'pypi', name, version, build: '', channel: '', url: '', hash: '' };
}

/** `conda <folder>/<name>-<version>-<build>.<ending>#<hash>`: cut by hand, as a pattern of it all takes long to fail. */
function readConda(line: string): LockedPackage | undefined {
  if (!line.startsWith('conda ')) return undefined;
  const [address = '', hash = '', ...rest] = line.slice('conda '.length).split('#');
  const folder = address.slice(0, address.lastIndexOf('/') + 1);
  const [, stem = '', ending] = CONDA_FILE.exec(address.slice(folder.length)) ?? [];
  const [build = '', version = '', ...names] = stem.split('-').reverse();
  const name = names.reverse().join('-');
  const fits = CONDA_FOLDER.test(folder) && CONDA_NAME.test(name) && CONDA_VERSION.test(version);
  if (!ending || !fits || build === '' || rest.length > 0 || (hash !== '' && !HASH.test(hash))) return undefined;
  // The last part of the folder is the platform's.
  const channel = folder.replace(/\/[^/]+\/$/, '');
  return { manager: 'conda', name, version, build, channel, url: address, hash };
}

const ofManager = ({ packages }: LockedEnvironment, manager: LockedPackage['manager']): LockedPackage[] =>
  packages.filter((each) => each.manager === manager);

/** The list that pip reads to put in the very same. */
export function toExactRequirements(environment: LockedEnvironment): string {
  return ofManager(environment, 'pypi')
    .map(({ name, version }) => `${name}==${version}\n`)
    .join('');
}

/** The list that micromamba reads to put in the very same; empty of an environment without conda. */
export function toExplicitList(environment: LockedEnvironment): string {
  const lines = ofManager(environment, 'conda').map(condaAddress);
  return lines.length > 0 ? `@EXPLICIT\n${lines.map((line) => `${line}\n`).join('')}` : '';
}

/** The text that `readLockText` reads. */
export function writeLockText(environment: LockedEnvironment): string {
  const lines = [
    LOCK_HEAD,
    ...ofManager(environment, 'conda').map((each) => `conda ${condaAddress(each)}`),
    ...(environment.python ? [`python ${environment.python}`] : []),
    ...ofManager(environment, 'pypi').map(({ name, version }) => `pypi ${name} ${version}`),
  ];
  return `${lines.join('\n')}\n`;
}

function condaAddress({ url, hash }: LockedPackage): string {
  return hash ? `${url}#${hash}` : url;
}
