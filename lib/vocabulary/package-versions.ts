/** Whose packages they are. */
export const PACKAGE_MANAGERS = ['conda', 'pypi'] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

export const CONSTRAINTS = [
  'exactly',
  'minimum',
  'maximum',
  'exclude',
  'compatible',
  'unconstrained',
  'custom',
] as const;
export type Constraint = (typeof CONSTRAINTS)[number];

export interface PackageVersion {
  constraint: Constraint;
  specifier: string;
}

const OPERATORS = { exactly: '==', minimum: '>=', maximum: '<=', exclude: '!=' } as const;

/** PEP 440. */
const PYPI_VERSION =
  /^v?(?:\d+!)?\d+(?:\.\d+)*(?:[-_.]?(?:alpha|beta|preview|pre|rc|a|b|c)[-_.]?\d*)?(?:-\d+|[-_.]?(?:post|rev|r)[-_.]?\d*)?(?:[-_.]?dev[-_.]?\d*)?(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?$/i;
const CONDA_VERSION = /^[A-Za-z0-9](?:[A-Za-z0-9._+!-]*[A-Za-z0-9_])?$/;
const CONDA_BUILD = /^[A-Za-z0-9_.*]+$/;
/** The numbers that `~=` counts on. */
const COUNTED = { pypi: /^v?(?:\d+!)?\d+\.\d/, conda: /^\d+(?:\.\d+)+$/ } as const;
const PYPI_CLAUSE = /^(===|==|!=|<=|>=|~=|<|>)\s*(\S+)$/;
const CONDA_CLAUSE = /^(==|=|!=|<=|>=|~=|<|>)?\s*(\S+)$/;

const INVALID = 'Invalid version.';

/** What is wrong with how a version is bound; empty when it can be built. */
export function describeVersion(manager: PackageManager, { constraint, specifier }: PackageVersion): string {
  const text = specifier.trim();
  if (constraint === 'unconstrained') return '';
  if (text === '') return 'Cannot be blank.';
  if (constraint === 'custom') return manager === 'pypi' ? describePypiCustom(text) : describeCondaCustom(text);
  if (constraint === 'compatible') {
    if (!isVersion(manager, text)) return INVALID;
    return COUNTED[manager].test(text) ? '' : 'Give at least two numbers, as in 1.4.';
  }
  const takesPrefix = constraint === 'exactly' || constraint === 'exclude';
  return isVersion(manager, takesPrefix ? text.replace(/\.\*$/, '') : text) ? '' : INVALID;
}

function isVersion(manager: PackageManager, text: string): boolean {
  return (manager === 'pypi' ? PYPI_VERSION : CONDA_VERSION).test(text);
}

function describePypiCustom(text: string): string {
  for (const clause of text.split(',')) {
    const [, operator, version = ''] = PYPI_CLAUSE.exec(clause.trim()) ?? [];
    if (operator === undefined) return 'Write clauses with commas between, as in >=1.2,<2.';
    const plain = operator === '==' || operator === '!=' ? version.replace(/\.\*$/, '') : version;
    // The one operator that compares as text.
    const isFine = operator === '===' ? CONDA_VERSION.test(version) : PYPI_VERSION.test(plain);
    if (!isFine || (operator === '~=' && !COUNTED.pypi.test(version))) return INVALID;
  }
  return '';
}

function describeCondaCustom(text: string): string {
  const { version, build } = splitBuild(text);
  if (build !== '' && !CONDA_BUILD.test(build)) return 'Invalid build.';
  for (const clause of version.split(/[,|]/)) {
    const [, , plain = ''] = CONDA_CLAUSE.exec(clause.trim()) ?? [];
    if (!/^[A-Za-z0-9*][A-Za-z0-9._+!*-]*$/.test(plain)) return 'Write clauses with , or | between, as in >=1.2,<2.';
  }
  return '';
}

/** `1.2.* py311_0`: what comes after the version, and is no clause of it. */
function splitBuild(text: string): { version: string; build: string } {
  const match = /^(.*[^\s,|=<>!~])\s+([^\s,|=<>!~]+)$/.exec(text);
  return match ? { version: match[1]!, build: match[2]! } : { version: text, build: '' };
}

/** As a requirement of pip has it after the name; empty for any version. The version was found fine. */
export function pypiSpecifier({ constraint, specifier }: PackageVersion): string {
  const text = specifier.trim();
  if (constraint === 'unconstrained') return '';
  if (constraint === 'compatible') return `~=${text}`;
  return constraint === 'custom' ? text.replace(/\s+/g, '') : `${OPERATORS[constraint]}${text}`;
}

/** As a match specification of conda has it after the name; empty for any version. The version was found fine. */
export function condaSpecifier({ constraint, specifier }: PackageVersion): string {
  const text = specifier.trim();
  if (constraint === 'unconstrained') return '';
  if (constraint === 'custom') {
    const { version, build } = splitBuild(text);
    return [version.replace(/\s+/g, ''), build].filter(Boolean).join(' ');
  }
  // The series of all but the last number, which keeps the early releases of the next one out.
  if (constraint === 'compatible') return `>=${text},${text.replace(/\.\d+$/, '')}.*`;
  return constraint === 'exactly' && text.endsWith('.*') ? text : `${OPERATORS[constraint]}${text}`;
}
