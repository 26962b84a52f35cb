import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/errors';
import { environmentsSchema } from '@/lib/vocabulary/image-schemas';
import { importLists, importSchema } from './import-lists';
import { readCondaMatch } from './conda-match';
import { readPoetryVersion } from './poetry-version';
import { readRequirement } from './python-requirement';

const read = (file: string, text: string) => importLists(importSchema.parse({ file, text }));
const short = (each: ReturnType<typeof readRequirement>) =>
  typeof each === 'string'
    ? each
    : [each.channel, each.name, each.version.constraint, each.version.specifier].join(' ').trim();
const left = ({ leftOut }: ReturnType<typeof read>) => leftOut.map(({ line, text }) => `${line}: ${text}`);

it.each([
  ['numpy', 'numpy unconstrained'],
  ['numpy==1.2', 'numpy exactly 1.2'],
  ['numpy == 1.2.*', 'numpy exactly 1.2.*'],
  ['numpy>=1.2', 'numpy minimum 1.2'],
  ['numpy <= 1.2', 'numpy maximum 1.2'],
  ['numpy!=1.2', 'numpy exclude 1.2'],
  ['numpy~=1.2.0', 'numpy compatible 1.2.0'],
  ['numpy>=1.2, <2,!=1.5', 'numpy custom >=1.2,<2,!=1.5'],
  ['numpy<2', 'numpy custom <2'],
  ['numpy===1.2-x', 'numpy custom ===1.2-x'],
  ['numpy (>=1.2)', 'numpy minimum 1.2'],
  ['uvicorn[standard, h2] >=0.30', 'uvicorn[standard,h2] minimum 0.30'],
  ['~/x', 'It comes from an address or a folder. Packages come from the index alone.'],
  [
    'torch @ https://example.org/torch.whl',
    'It comes from an address or a folder. Packages come from the index alone.',
  ],
  ['git+https://example.org/x', 'It comes from an address or a folder. Packages come from the index alone.'],
  ['./wheels/a.whl', 'It comes from an address or a folder. Packages come from the index alone.'],
  [
    "tomli; python_version < '3.11'",
    "It holds only where python_version < '3.11'. An image takes a package always or never.",
  ],
  ['numpy >> 1', 'Its version can not be read.'],
  ['numpy~=1', 'Give at least two numbers, as in 1.4.'],
  ['$(id)', 'This is no requirement.'],
  ['a'.repeat(2000), 'It is too long for a requirement.'],
])('the requirement %s', (text, wanted) => expect(short(readRequirement(text))).toBe(wanted));

it.each([
  ['numpy', 'numpy unconstrained'],
  ['numpy=1.2', 'numpy exactly 1.2.*'],
  ['numpy==1.2', 'numpy exactly 1.2'],
  ['numpy 1.2', 'numpy exactly 1.2'],
  ['numpy 1.2.*', 'numpy exactly 1.2.*'],
  ['numpy=1.2=py311_0', 'numpy custom 1.2 py311_0'],
  ['numpy >=1.2', 'numpy minimum 1.2'],
  ['numpy>=1.2,<2', 'numpy custom >=1.2,<2'],
  ['numpy >=1.4.2,1.4.*', 'numpy compatible 1.4.2'],
  ['conda-forge::numpy<=2', 'conda-forge numpy maximum 2'],
  ['https://conda.corp/team::tool', 'https://conda.corp/team tool unconstrained'],
  ['numpy *', 'numpy unconstrained'],
  ["numpy[version='>=1']", 'Parts in brackets have no counterpart.'],
  ['-- numpy', 'This is no package of conda.'],
])('the match %s', (text, wanted) => expect(short(readCondaMatch(text))).toBe(wanted));

it.each([
  ['^1.2.3', 'custom >=1.2.3,<2'],
  ['^0.2.3', 'custom >=0.2.3,<0.3'],
  ['^0.0', 'custom >=0.0,<0.1'],
  ['~1.2', 'custom >=1.2,<1.3'],
  ['~1', 'custom >=1,<2'],
  ['1.2.3', 'exactly 1.2.3'],
  ['1.2.*', 'exactly 1.2.*'],
  ['*', 'unconstrained '],
  ['>=1,<3', 'custom >=1,<3'],
])("Poetry's %s", (text, wanted) => {
  const version = readPoetryVersion(text);
  expect(`${version?.constraint} ${version?.specifier}`).toBe(wanted);
});

it('takes a requirements.txt and tells each line that it leaves out', () => {
  const lists = read(
    'requirements-dev.txt',
    [
      '\uFEFF# what the lab needs',
      'numpy==2.2.1 \\',
      '    --hash=sha256:abc  # pinned',
      '-r more.txt',
      '--index-url https://user:secret@pypi.corp/simple',
      '-e ./here',
      'NumPy>=1',
      'pandas>=2 ; sys_platform == "win32"',
      '',
      'rich # for people',
    ].join('\r\n'),
  );
  expect(lists.kind).toBe('requirements.txt');
  expect(lists.environments[0]!.packages.map(short)).toEqual(['numpy exactly 2.2.1', 'rich unconstrained']);
  expect(left(lists)).toEqual([
    '2: --hash=sha256:abc',
    '4: -r more.txt',
    '5: --index-url https://user:secret@pypi.corp/simple',
    '6: -e ./here',
    '7: NumPy>=1',
    '8: pandas>=2 ; sys_platform == "win32"',
  ]);
});

it('takes an environment.yml with its channels and what pip installs', () => {
  const lists = read(
    'environment.yml',
    [
      'name: science',
      'channels: [bioconda, nodefaults, "$(id)"]',
      'dependencies:',
      '  - python=3.12',
      '  - team::tool',
      '  - pip',
      '  - pip:',
      '    - rich[jupyter]>=13',
      '    - -r more.txt',
      'prefix: /opt/x',
    ].join('\n'),
  );
  expect(lists.environments).toMatchObject([
    {
      name: 'science',
      channels: [
        { name: 'bioconda', isUserGenerated: false },
        { name: 'team', isUserGenerated: true },
      ],
    },
  ]);
  const [{ packages }] = lists.environments as [(typeof lists.environments)[number]];
  expect(packages.map(short)).toEqual(['python exactly 3.12.*', 'team tool unconstrained', 'rich[jupyter] minimum 13']);
  expect(left(lists)).toEqual(['2: $(id)', '9: -r more.txt', '10: prefix']);
});

it('takes a pyproject.toml of either kind', () => {
  const lists = read(
    'pyproject.toml',
    [
      '[project]',
      'name = "lab"',
      'requires-python = ">=3.11"',
      'dependencies = [',
      '  "numpy>=2",',
      '  "x @ https://example.org/x.whl",',
      ']',
      '[project.optional-dependencies]',
      'dev = ["pytest", "mypy"]',
      '[tool.poetry.dependencies]',
      'python = "^3.11"',
      'flask = "^3.0"',
      'celery = { version = "~5.3", extras = ["redis"] }',
      'own = { path = "../own" }',
    ].join('\n'),
  );
  expect(lists.environments[0]!.packages.map(short)).toEqual([
    'numpy minimum 2',
    'flask custom >=3.0,<4',
    'celery[redis] custom >=5.3,<5.4',
  ]);
  expect(left(lists)).toEqual([
    '2: name = "lab"',
    '3: requires-python = ">=3.11"',
    '6: x @ https://example.org/x.whl',
    '9: dev',
    '11: python = "^3.11"',
    '14: own = {"path":"../own"}',
  ]);
});

it('takes what a Dockerfile installs, its base and its command', () => {
  const lists = read(
    'Dockerfile',
    [
      'FROM golang:1 AS tools',
      'RUN pip install left-behind',
      'FROM python:3.12-slim',
      'ENV A=b',
      'RUN apt-get update && apt-get install -y git',
      "RUN pip install --no-cache-dir 'numpy>=2' pandas==2.2 -r requirements.txt \\",
      '    && conda install -y -n bio -c bioconda samtools=1.20 && rm -rf /tmp/x',
      'RUN pip install $PACKAGES',
      'EXPOSE 8888',
      'CMD ["jupyter", "lab", "--ip", "0.0.0.0", "it\'s"]',
    ].join('\n'),
  );
  expect(lists.baseImage).toBe('python:3.12-slim');
  expect(lists.environments.map(({ name, packages }) => [name, packages.map(short)])).toEqual([
    ['main', ['numpy minimum 2', 'pandas exactly 2.2']],
    ['bio', ['samtools exactly 1.20.*']],
  ]);
  expect(lists.startupCommands).toEqual([{ command: "jupyter lab --ip 0.0.0.0 'it'\\''s'", environment: 'main' }]);
  expect(left(lists)).toEqual([
    '3: FROM python:3.12-slim',
    '4: ENV A=b',
    '5: apt-get update',
    '5: apt-get install -y git',
    '6: rm -rf /tmp/x',
    '6: -r requirements.txt',
    '8: RUN pip install $PACKAGES',
    '9: EXPOSE 8888',
  ]);
});

describe('bad input', () => {
  const refusal = (file: string, text: string): string => {
    try {
      read(file, text);
      return '';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.message;
    }
  };

  it('is refused in words', () => {
    expect(refusal('environment.yml', 'a: [')).toMatch(/^The file can not be read: line 1: /);
    expect(refusal('environment.yml', '- a')).toBe('The file can not be read: it is no list of an environment.');
    expect(refusal('pyproject.toml', '[project\nx')).toMatch(/^The file can not be read: line 1: /);
    expect(refusal('Dockerfile', 'RUN id')).toBe('The file can not be read: it has no FROM.');
    for (const text of ['', 'a\u0000', 'a'.repeat(51_201)])
      expect(importSchema.safeParse({ text }).success).toBe(false);
  });

  it.each([
    ['environment.yml', '['.repeat(50_000)],
    ['environment.yml', `a: &a [b]\nc: &c [${'*a,'.repeat(12_000)}*a]`],
    ['environment.yml', `dependencies:\n${'- a\n'.repeat(12_000)}`],
    ['environment.yml', `${'a: {'.repeat(10_000)}`],
    ['pyproject.toml', `a = ${'['.repeat(50_000)}`],
    [
      'pyproject.toml',
      `[tool.poetry.dependencies]\n${Array.from({ length: 4500 }, (_, at) => `p${at} = "1"\n`).join('')}`,
    ],
    [
      'pyproject.toml',
      `[project]\ndependencies = [${Array.from({ length: 5000 }, (_, at) => `"p${at}",\n`).join('')}]`,
    ],
    ['requirements.txt', `a${' '.repeat(51_000)}b`],
    ['requirements.txt', '\n'.repeat(51_000)],
    ['requirements.txt', 'a\n'.repeat(25_000)],
    ['requirements.txt', 'a\\\n'.repeat(17_000)],
    ['requirements.txt', `a${'-'.repeat(51_000)}`],
    ['', '\n '.repeat(25_000)],
    ['', `F${' '.repeat(51_000)}`],
    ['Dockerfile', `FROM a\nRUN ${"pip install 'a' ; ".repeat(2500)}`],
    ['Dockerfile', `FROM a\nRUN ${'"'.repeat(51_000)}`],
    ['Dockerfile', `FROM a\nRUN ${'--a '.repeat(12_000)}`],
  ])('of its whole length takes no time: %s %#', (file, text) => {
    const before = performance.now();
    try {
      const { leftOut, environments } = read(file, text.slice(0, 51_200));
      expect(leftOut.length).toBeLessThanOrEqual(500);
      expect(environmentsSchema.safeParse(environments.map((each) => ({ ...each, name: 'x' }))).success).toBe(true);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
    }
    expect(performance.now() - before).toBeLessThan(3000);
  });

  it('never gives a list that an image would refuse', () => {
    const words = fc.constantFrom(
      ...[
        'numpy',
        '==1.2',
        '>=1',
        ' ',
        '\n',
        'RUN ',
        'FROM ',
        'pip install ',
        'conda install ',
        '-c ',
        '- ',
        'dependencies:',
      ],
      ...[
        'name: ',
        '[project]',
        'dependencies = [',
        '"',
        "'",
        ']',
        '$(id)',
        '`id`',
        ';',
        '&&',
        '\\',
        '#',
        '{',
        '}',
        '::',
        '@',
      ],
      ...['\u2028', '<<EOF', '--hash=x', '../', 'é', '[a]', 'pip:', '  ', '*', '&a'],
    );
    const files = fc.constantFrom('requirements.txt', 'environment.yml', 'pyproject.toml', 'Dockerfile', '');
    fc.assert(
      fc.property(files, fc.array(words, { minLength: 1, maxLength: 40 }), (file, parts) => {
        let lists: ReturnType<typeof read>;
        try {
          lists = read(file, parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          return;
        }
        const named = lists.environments.map((each, at) => ({ ...each, name: each.name || `e${at}` }));
        const taken = environmentsSchema.safeParse(named);
        expect(taken.error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });
});
