import { channelsSchema, PACKAGE_NAMES } from '@/lib/vocabulary/image-schemas';
import { type Constraint, describeVersion, type PackageVersion } from '@/lib/vocabulary/package-versions';
import type { ListPackage } from './read-list';

const NAME = /^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?\s*/;
const CLAUSE = /^(===|==|!=|<=|>=|~=|<|>)\s*(\S+)$/;
const KINDS: Partial<Record<string, Constraint>> = {
  '==': 'exactly',
  '>=': 'minimum',
  '<=': 'maximum',
  '!=': 'exclude',
  '~=': 'compatible',
};
const MOST_CHARS = 1000;

/** A requirement of Python's packaging (PEP 508), as in `uvicorn[standard]>=0.30,<1`; or why it can't be taken, in words. */
export function readRequirement(text: string): ListPackage | string {
  const typed = text.trim();
  if (typed.length > MOST_CHARS) return 'It is too long for a requirement.';
  const match = NAME.exec(typed);
  if (!match) return isPlace(typed) ? OF_A_PLACE : 'This is no requirement.';
  const [head, name = '', extras = ''] = match;
  const rest = typed.slice(head.length);
  if (rest.startsWith('@') || isPlace(typed)) return OF_A_PLACE;
  const [versions = '', marker] = splitAt(rest, ';');
  if (marker !== undefined) {
    return `It holds only where ${marker.trim()}. An image takes a package always or never.`;
  }
  const version = readVersions(versions.trim().replace(/^\((.*)\)$/, '$1'));
  if (!version) return 'Its version can not be read.';
  const named = extras === '' ? name : `${name}[${extras.replace(/\s+/g, '')}]`;
  return toPackage({ manager: 'pypi', channel: '', name: named, version });
}

const OF_A_PLACE = 'It comes from an address or a folder. Packages come from the index alone.';

/** A package whose fields an image takes; or what is wrong with it, in words. Costs little: files have thousands. */
export function toPackage(fields: Pick<ListPackage, 'manager' | 'channel' | 'name' | 'version'>): ListPackage | string {
  const { manager, channel, name, version } = fields;
  if (name.length > 200 || !PACKAGE_NAMES[manager].test(name)) return 'Invalid package name.';
  if (channel !== '' && !channelsSchema.safeParse([channel]).success) return 'Invalid channel.';
  const problem = version.specifier.length > 200 ? 'Invalid version.' : describeVersion(manager, version);
  return problem === '' ? { ...fields, description: '', latestVersion: '' } : problem;
}

/** The version of a requirement, as in `>=1.2,<2`; undefined where it is none. */
export function readVersions(text: string): PackageVersion | undefined {
  if (text === '') return { constraint: 'unconstrained', specifier: '' };
  const clauses = text.split(',').map((clause) => CLAUSE.exec(clause.trim()));
  if (clauses.some((clause) => !clause)) return undefined;
  const [, operator = '', version = ''] = clauses[0]!;
  const constraint = clauses.length === 1 ? KINDS[operator] : undefined;
  if (constraint) return { constraint, specifier: version };
  return { constraint: 'custom', specifier: clauses.map((clause) => `${clause![1]}${clause![2]}`).join(',') };
}

/** A web address, a version control address, a wheel or a path. */
function isPlace(text: string): boolean {
  return (
    /^[A-Za-z0-9+.-]+:\/\//.test(text) ||
    /^[./~]/.test(text) ||
    /\.(?:whl|zip|tar\.gz)$/.test(text) ||
    /^\S*[/\\]/.test(text)
  );
}

function splitAt(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
