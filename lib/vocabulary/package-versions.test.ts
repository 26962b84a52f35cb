import { describe, expect, it } from 'vitest';
import { condaSpecifier, type Constraint, describeVersion, pypiSpecifier } from './package-versions';

const of = (constraint: Constraint, specifier = '') => ({ constraint, specifier });

describe('a bound version', () => {
  it.each([
    ['exactly', '1.2.3', '==1.2.3', '==1.2.3'],
    ['exactly', '1.2.*', '==1.2.*', '1.2.*'],
    ['minimum', '1.2', '>=1.2', '>=1.2'],
    ['maximum', '1.2', '<=1.2', '<=1.2'],
    ['exclude', '1.2', '!=1.2', '!=1.2'],
    ['compatible', '1.4', '~=1.4', '>=1.4,1.*'],
    ['compatible', '1.4.2', '~=1.4.2', '>=1.4.2,1.4.*'],
    ['unconstrained', '', '', ''],
    ['unconstrained', '1.2', '', ''],
    ['custom', '>= 1.2, <2', '>=1.2,<2', '>=1.2,<2'],
  ] as const)('%s %s is %s to pip and %s to conda', (constraint, specifier, pypi, conda) => {
    const version = of(constraint, specifier);
    expect([describeVersion('pypi', version), describeVersion('conda', version)]).toEqual(['', '']);
    expect([pypiSpecifier(version), condaSpecifier(version)]).toEqual([pypi, conda]);
  });

  it('takes what one manager alone knows', () => {
    expect(describeVersion('conda', of('custom', '1.8.*|>=2 py311_0'))).toBe('');
    expect(condaSpecifier(of('custom', '1.8.* | >=2  py311_0'))).toBe('1.8.*|>=2 py311_0');
    expect(describeVersion('pypi', of('custom', '1.8.*|>=2 py311_0'))).not.toBe('');
    expect(describeVersion('pypi', of('custom', '===2021a'))).toBe('');
    expect(describeVersion('pypi', of('exactly', '1!2.0rc1.post2.dev3+local.1'))).toBe('');
  });

  it.each(['exactly', 'minimum', 'maximum', 'exclude', 'compatible', 'custom'] as const)(
    '%s needs a version',
    (kind) => {
      for (const blank of ['', '  ']) expect(describeVersion('pypi', of(kind, blank))).toBe('Cannot be blank.');
    },
  );

  it('counts on two numbers to be compatible', () => {
    for (const manager of ['pypi', 'conda'] as const) {
      expect(describeVersion(manager, of('compatible', '2'))).toBe('Give at least two numbers, as in 1.4.');
    }
    expect(describeVersion('pypi', of('custom', '~=2'))).toBe('Invalid version.');
  });

  it.each([
    '1.0\n--index-url http://x',
    '1.0 --hash=sha256:x',
    '1.0;python_version<"3"',
    '1.0 # comment',
    '$(id)',
    '`id`',
    "1'0",
    '1"0',
    '1\\0',
    '==1.0',
    '@ http://x/y.whl',
    '1.0\u20281',
  ])('is not %j', (text) => {
    for (const manager of ['pypi', 'conda'] as const) {
      for (const kind of ['exactly', 'minimum', 'compatible'] as const) {
        expect(describeVersion(manager, of(kind, text)), kind).not.toBe('');
      }
      expect(describeVersion(manager, of('custom', `>=1,${text}x;`)), 'custom').not.toBe('');
    }
  });
});
