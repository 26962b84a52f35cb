import type { PackageVersion } from '@/lib/vocabulary/package-versions';
import { readVersions } from './python-requirement';

/** A version as Poetry writes it: `^1.2`, `~1.2`, `1.*`, `1.2.3`, or as pip has it; undefined where it can't be told. */
export function readPoetryVersion(text: string): PackageVersion | undefined {
  const typed = text.trim();
  if (typed === '*') return { constraint: 'unconstrained', specifier: '' };
  if (/^\d[\w.+!-]*(?:\.\*)?$/.test(typed)) return { constraint: 'exactly', specifier: typed };
  const [, sign, version = ''] = /^([\^~])\s*(\d+(?:\.\d+)*)$/.exec(typed) ?? [];
  if (sign === undefined) return readVersions(typed);
  const end = sign === '^' ? endOfCaret(version) : endOfTilde(version);
  return { constraint: 'custom', specifier: `>=${version},<${end}` };
}

/** The first number that is not zero may not change. */
function endOfCaret(version: string): string {
  const parts = version.split('.').map(Number);
  const first = parts.findIndex((part) => part > 0);
  return next(parts, first < 0 ? parts.length - 1 : first);
}

/** The second number may not change, or the first where it is alone. */
function endOfTilde(version: string): string {
  const parts = version.split('.').map(Number);
  return next(parts, Math.min(1, parts.length - 1));
}

function next(parts: readonly number[], at: number): string {
  return [...parts.slice(0, at), (parts[at] ?? 0) + 1].join('.');
}
