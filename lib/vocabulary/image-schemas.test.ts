import { describe, expect, it } from 'vitest';
import { problemsOf } from '@/lib/errors';
import { readEnvironments } from './image-environments';
import { channelsSchema, environmentsSchema, startupCommandsSchema, userConfigurationSchema } from './image-schemas';
import { DUPLICATE_ENVIRONMENT } from './image-words';

const numpy = { manager: 'pypi', name: 'numpy' };
const withPackage = (each: object) => [{ name: 'main', packages: [each] }];
const problems = (value: unknown) => {
  const read = environmentsSchema.safeParse(value);
  return read.success ? undefined : problemsOf(read.error).fields;
};
const at = (field: string, message: string, code = 'validation_invalid_value') => ({
  0: { packages: { 0: { [field]: { code, message } } } },
});

/** What would do harm on a line of a shell, of a Dockerfile or of a list of packages. */
const NASTY = [
  '--index-url',
  '-r /etc/passwd',
  'a b',
  'a\nRUN id',
  'a\\',
  'a;id',
  'a&&id',
  '$(id)',
  '${HOME}',
  '`id`',
  "a'b",
  'a"b',
  'a|b',
  'a>b',
  'a#b',
  '../a',
  'a/../../b',
  'a\u0000b',
  'a\u0085b',
  'a\u2028b',
  'a @ http://x/y.whl',
  'git+https://x/y',
  '<<EOF',
  ' ',
];

describe('environments', () => {
  it('have what a search found of a package, and defaults for the rest', () => {
    const found = {
      ...numpy,
      version: { constraint: 'exactly', specifier: '2.2.1' },
      description: 'd',
      latestVersion: '3',
    };
    const [environment] = environmentsSchema.parse([
      { name: 'main', packages: [found, { manager: 'conda', name: 'r-base' }] },
    ]);
    expect(environment).toEqual({
      name: 'main',
      channels: [],
      packages: [
        { ...found, channel: '' },
        {
          manager: 'conda',
          channel: '',
          name: 'r-base',
          version: { constraint: 'unconstrained', specifier: '' },
          description: '',
          latestVersion: '',
        },
      ],
    });
  });

  it('are refused at the part that is wrong', () => {
    expect(problems([{ name: 'a' }, { name: 'a' }])).toEqual({
      1: { name: { code: 'validation_duplicate', message: DUPLICATE_ENVIRONMENT } },
    });
    expect(problems([{ name: '' }])).toMatchObject({ 0: { name: { message: 'Cannot be blank.' } } });
    expect(problems(withPackage({ ...numpy, version: { constraint: 'exactly' } }))).toEqual({
      0: {
        packages: { 0: { version: { specifier: { code: 'validation_invalid_value', message: 'Cannot be blank.' } } } },
      },
    });
    expect(problems(withPackage({ ...numpy, manager: 'npm' }))).toMatchObject({
      0: { packages: { 0: { manager: {} } } },
    });
    expect(problems([{ name: 'a', packages: [numpy, { ...numpy, name: 'NumPy[x]' }] }])).toEqual({
      0: { packages: { 1: { name: { code: 'validation_duplicate', message: 'Duplicate package.' } } } },
    });
    expect(problems([{ name: 'a', packages: [numpy, { ...numpy, manager: 'conda' }] }])).toBeUndefined();
    expect(problems(withPackage({ ...numpy, constraint: 'exactly' }))).toEqual(
      at('constraint', 'Unknown field "constraint".', 'validation_unknown_field'),
    );
  });

  it.each(NASTY)('take %j in no name', (text) => {
    for (const manager of ['pypi', 'conda']) {
      expect(problems(withPackage({ manager, name: text })), manager).toMatchObject({
        0: { packages: { 0: { name: {} } } },
      });
    }
    expect(problems(withPackage({ manager: 'conda', name: 'a', channel: text }))).toMatchObject({
      0: { packages: { 0: { channel: {} } } },
    });
    expect(problems([{ name: text }])).toMatchObject({ 0: { name: {} } });
    expect(problems([{ name: 'a', channels: [{ name: text }] }])).toMatchObject({
      0: { channels: { 0: { name: {} } } },
    });
    expect(channelsSchema.safeParse([text]).success).toBe(false);
    for (const field of ['name', 'group']) {
      expect(userConfigurationSchema.safeParse({ [field]: text }).success, field).toBe(false);
    }
  });

  it('take the names that indexes have', () => {
    for (const name of ['uvicorn[standard]', 'a', 'Flask-SQLAlchemy', 'zope.interface', 'x[a,b-c]']) {
      expect(problems(withPackage({ ...numpy, name })), name).toBeUndefined();
    }
    for (const channel of [
      'conda-forge',
      'nvidia/label/cuda-12.4.1',
      'https://conda.corp:8443/get/team',
      'bioconda/',
    ]) {
      const isFine = channel !== 'bioconda/';
      expect(channelsSchema.safeParse([channel]).success, channel).toBe(isFine);
    }
    for (const name of ['_libgcc_mutex', 'r-base', 'libstdcxx-ng', 'python.app']) {
      expect(problems(withPackage({ manager: 'conda', name })), name).toBeUndefined();
    }
  });
});

it('a startup command is a text of its own, and needs one', () => {
  for (const command of ['', '  ', 'a\u0000b'])
    expect(startupCommandsSchema.safeParse([{ command }]).success).toBe(false);
  expect(startupCommandsSchema.parse([{ command: "echo '$(id)'\nexit" }])).toEqual([
    { command: "echo '$(id)'\nexit", environment: null },
  ]);
});

it('ids and names of a user have their bounds', () => {
  for (const value of [{ uid: 65_536 }, { gid: -1 }, { uid: 1.5 }, { name: 'a-b' }, { group: '1000' }]) {
    expect(userConfigurationSchema.safeParse(value).success, JSON.stringify(value)).toBe(false);
  }
  const empty = { isAdded: true, uid: null, name: '', gid: null, group: '' };
  expect(userConfigurationSchema.parse({ isAdded: true })).toEqual(empty);
});

describe('environments of an older record', () => {
  const former = [
    {
      name: 'main',
      manager: 'conda',
      channels: [{ name: 'conda-forge', isUserGenerated: true }],
      packages: [
        { manager: 'conda', channel: 'conda-forge', name: 'numpy', constraint: 'minimum', version: '2' },
        { manager: 'pypi', channel: '', name: 'flask', constraint: 'unconstrained', version: '' },
      ],
    },
  ];

  it('are read in the present shape, which its own schema takes', () => {
    const read = readEnvironments(former);
    expect(environmentsSchema.parse(read)).toEqual(read);
    expect(read[0]!.packages).toMatchObject([
      { manager: 'conda', channel: 'conda-forge', name: 'numpy', version: { constraint: 'minimum', specifier: '2' } },
      { manager: 'pypi', name: 'flask', version: { constraint: 'unconstrained', specifier: '' } },
    ]);
    expect(read[0]).not.toHaveProperty('manager');
  });

  it('are told from those of the present shape, which stay as they are', () => {
    const present = environmentsSchema.parse([{ name: 'a', packages: [numpy] }, { name: 'b' }]);
    expect(readEnvironments(present)).toBe(present);
    for (const nothing of [null, undefined, '', {}]) expect(readEnvironments(nothing)).toEqual([]);
  });
});
