import { describeVersion, type PackageVersion } from '@/lib/vocabulary/package-versions';
import { toPackage } from './python-requirement';
import type { ListPackage } from './read-list';

const SPEC = /^(?:([^\s:=<>!~]+(?::\/\/[^\s=<>!~]+?)?)::)?([A-Za-z0-9_][A-Za-z0-9._-]*)\s*(.*)$/;
const MOST_CHARS = 1000;
const KINDS = { '==': 'exactly', '>=': 'minimum', '<=': 'maximum', '!=': 'exclude', '~=': 'compatible' } as const;

/** A match specification of conda, as in `conda-forge::numpy>=2,<3`; or why it can't be taken, in words. */
export function readCondaMatch(text: string): ListPackage | string {
  const typed = text.trim();
  if (typed.length > MOST_CHARS) return 'It is too long for a package.';
  if (typed.includes('[')) return 'Parts in brackets have no counterpart.';
  const match = SPEC.exec(typed);
  if (!match) return 'This is no package of conda.';
  const [, channel = '', name = '', versions = ''] = match;
  const version = readVersions(versions.trim());
  if (!version) return 'Its version can not be read.';
  return toPackage({ manager: 'conda', channel, name, version });
}

function readVersions(text: string): PackageVersion | undefined {
  if (text === '' || text === '*' || text === '=*') return { constraint: 'unconstrained', specifier: '' };
  const plain = readPlain(text) ?? readCompatible(text) ?? readClause(text);
  if (plain && describeVersion('conda', plain) === '') return plain;
  const custom: PackageVersion = { constraint: 'custom', specifier: text };
  return describeVersion('conda', custom) === '' ? custom : undefined;
}

/** `=1.2` is any of the series, `1.2`, and each with a build, the one version. */
function readPlain(text: string): PackageVersion | undefined {
  const [, equals = '', version = '', build = ''] =
    /^(=?)\s*([^\s=<>!~|,]+)(?:(?:\s+|=)([^\s=<>!~|,]+))?$/.exec(text) ?? [];
  if (version === '') return undefined;
  if (build !== '' && build !== '*') return { constraint: 'custom', specifier: `${version} ${build}` };
  const isSeries = equals !== '' && build === '' && !version.endsWith('*');
  return { constraint: 'exactly', specifier: isSeries ? `${version}.*` : version.replace(/([^.])\*$/, '$1.*') };
}

/** What a version that others have to be compatible with comes to: `>=1.4.2,1.4.*`. */
function readCompatible(text: string): PackageVersion | undefined {
  const [, version = '', series = ''] = /^>=\s*([^\s,|]+)\s*,\s*([^\s,|]+)\.\*$/.exec(text) ?? [];
  const isSame = version !== '' && version.replace(/\.\d+$/, '') === series && version !== series;
  return isSame ? { constraint: 'compatible', specifier: version } : undefined;
}

function readClause(text: string): PackageVersion | undefined {
  const [, operator, version = ''] = /^(==|>=|<=|!=|~=)\s*([^\s,|=<>!~]+)$/.exec(text) ?? [];
  if (operator === undefined) return undefined;
  return { constraint: KINDS[operator as keyof typeof KINDS], specifier: version };
}
