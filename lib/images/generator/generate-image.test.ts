import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { environmentsSchema, startupCommandsSchema, userConfigurationSchema } from '@/lib/vocabulary/image-schemas';
import { isAbsolutePath } from '@/lib/vocabulary/paths';
import { checkDockerfile, readDockerfile } from '../dockerfile';
import { generateCheck } from './generate-check';
import { generateImage, type ImageRecipe } from './generate-image';
import { listTexts } from './recipe-texts';
import { PLACE_SCRIPT } from './scripts';
import { writeStandalone } from './standalone';

const usual = { pypiIndexUrl: '', condaUrl: '', micromambaImage: 'mambaorg/micromamba:2.6.1' };
const site = { ...usual, pypiIndexUrl: 'http://pypi.corp:3141/root/+simple', condaUrl: 'https://conda.corp/channels' };

const recipe = (parts: Partial<Record<keyof ImageRecipe, unknown>> = {}): ImageRecipe => ({
  baseImage: 'ubuntu:24.04',
  channels: (parts.channels ?? []) as string[],
  environments: environmentsSchema.parse(parts.environments ?? []),
  startupCommands: startupCommandsSchema.parse(parts.startupCommands ?? []),
  userConfiguration: parts.userConfiguration ? userConfigurationSchema.parse(parts.userConfiguration) : null,
  filePaths: (parts.filePaths ?? []) as string[],
});
const pypi = (name: string, constraint = 'unconstrained', specifier = '') => {
  return { manager: 'pypi', name, version: { constraint, specifier } };
};
const conda = (name: string, channel = '', constraint = 'unconstrained', specifier = '') => {
  return { manager: 'conda', name, channel, version: { constraint, specifier } };
};
const textsOf = (of: ImageRecipe): Record<string, string> =>
  Object.fromEntries(generateImage(of, usual).files.map(({ path: at, text }) => [at.replace('.berth/', ''), text]));

const lists = recipe({
  channels: ['site'],
  environments: [
    {
      name: 'science',
      channels: [{ name: 'bioconda' }, { name: 'conda-forge' }],
      packages: [
        conda('numpy', 'conda-forge', 'compatible', '2.1'),
        conda('python', '', 'exactly', '3.12.*'),
        pypi('rich[jupyter]', 'minimum', '13'),
      ],
    },
    { name: 'web', packages: [pypi('flask', 'custom', '>=3, <4'), pypi('gunicorn')] },
  ],
  startupCommands: [
    { command: 'gunicorn app:app', environment: 'web' },
    { command: 'tail -f /var/log/x', environment: null },
  ],
  userConfiguration: { isAdded: true, uid: 1000, name: 'mara' },
  filePaths: ['/srv/app.py'],
});

describe('a generated Dockerfile', () => {
  it('is the base alone where nothing is asked for', () => {
    expect(generateImage(recipe(), usual)).toEqual({ dockerfile: 'FROM ubuntu:24.04\n', files: [] });
  });

  it('goes from what changes least to what changes most, to the byte', () => {
    expect(generateImage(lists, usual).dockerfile).toMatchInlineSnapshot(`
      "FROM ubuntu:24.04 AS base
      USER 0:0
      RUN --mount=type=bind,source=.berth/system.sh,target=/run/berth/system.sh \\
          sh /run/berth/system.sh python certificates
      COPY --from=mambaorg/micromamba:2.6.1 /bin/micromamba /opt/berth/bin/micromamba
      RUN --mount=type=bind,source=.berth/user.sh,target=/run/berth/user.sh \\
          sh /run/berth/user.sh 1000 'mara' 1000 ''
      USER 1000:1000

      FROM base AS environment-1
      RUN --mount=type=cache,target=/var/cache/berth/conda-1000-1000,uid=1000,gid=1000 \\
          --mount=type=bind,source=.berth/environments/science.yml,target=/run/berth/environment.yml \\
          CONDA_PKGS_DIRS=/var/cache/berth/conda-1000-1000/pkgs MAMBA_ROOT_PREFIX=/var/cache/berth/conda-1000-1000/root /opt/berth/bin/micromamba create --yes --prefix /opt/berth/environments/science --file /run/berth/environment.yml
      RUN --mount=type=bind,source=.berth/lock.sh,target=/run/berth/lock.sh \\
          --mount=type=cache,target=/var/cache/berth/pypi-1000-1000,uid=1000,gid=1000 \\
          --mount=type=bind,source=.berth/environments/science.txt,target=/run/berth/requirements.txt \\
          if command -v uv >/dev/null 2>&1; then UV_LINK_MODE=copy uv pip install --python /opt/berth/environments/science --cache-dir /var/cache/berth/pypi-1000-1000/uv -r /run/berth/requirements.txt; \\
          else /opt/berth/environments/science/bin/python -m pip install --no-input --disable-pip-version-check --cache-dir /var/cache/berth/pypi-1000-1000/pip -r /run/berth/requirements.txt; fi \\
          && sh /run/berth/lock.sh /opt/berth/environments/science

      FROM base AS environment-2
      RUN if command -v uv >/dev/null 2>&1; then uv venv /opt/berth/environments/web; \\
          else python3 -m venv /opt/berth/environments/web; fi
      RUN --mount=type=bind,source=.berth/lock.sh,target=/run/berth/lock.sh \\
          --mount=type=cache,target=/var/cache/berth/pypi-1000-1000,uid=1000,gid=1000 \\
          --mount=type=bind,source=.berth/environments/web.txt,target=/run/berth/requirements.txt \\
          if command -v uv >/dev/null 2>&1; then UV_LINK_MODE=copy uv pip install --python /opt/berth/environments/web --cache-dir /var/cache/berth/pypi-1000-1000/uv -r /run/berth/requirements.txt; \\
          else /opt/berth/environments/web/bin/python -m pip install --no-input --disable-pip-version-check --cache-dir /var/cache/berth/pypi-1000-1000/pip -r /run/berth/requirements.txt; fi \\
          && sh /run/berth/lock.sh /opt/berth/environments/web

      FROM base
      COPY --from=environment-1 --chown=1000:1000 /opt/berth/environments/science /opt/berth/environments/science
      COPY --from=environment-2 --chown=1000:1000 /opt/berth/environments/web /opt/berth/environments/web

      ENV PATH=/opt/berth/environments/science/bin:$PATH
      USER 0:0
      RUN --mount=type=bind,source=.berth/place.sh,target=/run/berth/place.sh \\
          --mount=type=bind,source=.berth/paths,target=/run/berth/paths \\
          --mount=type=bind,source=.berth/files,target=/run/berth/files \\
          sh /run/berth/place.sh /run/berth/files 1000:1000 </run/berth/paths
      COPY .berth/startup/ /opt/berth/startup/
      USER 1000:1000
      ENTRYPOINT ["/opt/berth/startup/start"]
      "
    `);
  });

  it('resolves environments and keeps none of them, for a check', () => {
    const { dockerfile, files } = generateCheck(lists, usual);
    expect(readDockerfile(dockerfile)).not.toHaveProperty('message');
    expect(dockerfile).toMatch(/^FROM ubuntu:24\.04 AS base\nUSER 0:0\n/);
    // Pip needs what conda is to make for it.
    expect(dockerfile).toContain('create --yes --prefix /opt/berth/environments/science ');
    expect(dockerfile.match(/--dry-run/g)).toHaveLength(4);
    expect(dockerfile.split('FROM scratch\n')[1]).toBe(
      'COPY --from=environment-1 /opt/berth/checked/science /1\nCOPY --from=environment-2 /opt/berth/checked/web /2\n',
    );
    expect(files.map(({ path: at }) => at)).not.toContain('.berth/user.sh');
    const only = recipe({ environments: [{ name: 'main', packages: [conda('numpy')] }] });
    expect(generateCheck(only, usual).dockerfile).toContain('create --yes --dry-run --prefix ');
  });

  it('has the lists of its packages in files', () => {
    expect(textsOf(lists)).toMatchObject({
      'environments/science.yml': [
        'channels:',
        '  - "bioconda"',
        '  - "conda-forge"',
        '  - "site"',
        'dependencies:',
        '  - "conda-forge::numpy >=2.1,2.*"',
        '  - "python 3.12.*"',
        '  - "pip"',
        '',
      ].join('\n'),
      'environments/science.txt': 'rich[jupyter]>=13\n',
      'environments/web.txt': 'flask>=3,<4\ngunicorn\n',
      'startup/environments': 'web\n\n',
      'startup/commands/2': 'tail -f /var/log/x\n',
      paths: '/srv/app.py\n',
    });
    expect(textsOf(recipe({ environments: [{ name: 'a', packages: [conda('r-base')] }] }))['environments/a.yml']).toBe(
      'channels:\n  - "conda-forge"\ndependencies:\n  - "r-base"\n',
    );
  });

  it('is the same for the same lists, whatever people read of the packages', () => {
    const described = structuredClone(lists.environments).map(({ packages, ...rest }) => ({
      ...rest,
      packages: packages.map((each) => ({ ...each, description: 'New words', latestVersion: '99' })),
    }));
    expect(generateImage({ ...lists, environments: described }, usual)).toEqual(generateImage(lists, usual));
  });

  it('changes in one list alone when a package is added', () => {
    const [science, web] = lists.environments;
    const more = {
      ...web!,
      packages: [
        ...web!.packages,
        environmentsSchema.parse([{ name: 'x', packages: [pypi('redis')] }])[0]!.packages[0]!,
      ],
    };
    const before = generateImage(lists, usual);
    const after = generateImage({ ...lists, environments: [science!, more] }, usual);
    expect(after.dockerfile).toBe(before.dockerfile);
    const changed = after.files.filter(({ text }, index) => text !== before.files[index]!.text);
    expect(changed.map(({ path: at }) => at)).toEqual(['.berth/environments/web.txt']);
  });

  it("takes packages from the site's own places", () => {
    const { dockerfile } = generateImage(lists, site);
    expect(dockerfile).toContain('ENV PIP_INDEX_URL=http://pypi.corp:3141/root/+simple UV_DEFAULT_INDEX=');
    expect(dockerfile).toContain('ENV PIP_TRUSTED_HOST=pypi.corp:3141 UV_INSECURE_HOST=pypi.corp:3141\n');
    expect(dockerfile).toContain('ENV MAMBA_CHANNEL_ALIAS=https://conda.corp/channels\n');
  });

  it('leaves the user of the base as it is where none is added', () => {
    const { dockerfile } = generateImage(
      { ...lists, userConfiguration: { ...lists.userConfiguration!, isAdded: false } },
      usual,
    );
    expect(dockerfile).not.toMatch(/^USER|chown|uid=/m);
  });
});

/** Texts with much of what a shell, a builder or a list could take for its own. */
const nasty = fc.string({
  unit: fc.constantFrom(
    ...'ab1 .-_/\\\'"`$(){}<>|&;#!*?~=,:@%^[]+\n\t\r',
    '\u0085',
    '\u2028',
    'é',
    '\u0001',
    '<<EOF\n',
    '--index-url',
    '\nRUN id\n',
  ),
  maxLength: 30,
});

describe('what people type', () => {
  it('is on no line of the Dockerfile where it may be any text', () => {
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 2, maxLength: 2 }), nasty, (commands, place) => {
        const read = startupCommandsSchema.safeParse(commands.map((command) => ({ command, environment: 'web' })));
        fc.pre(read.success);
        const filePaths = [`/srv/${place}x`].filter(isAbsolutePath);
        fc.pre(filePaths.length > 0);
        const typed = { ...lists, startupCommands: read.data!, filePaths };
        const { dockerfile, files } = generateImage(typed, usual);
        expect(dockerfile).toBe(generateImage(lists, usual).dockerfile);
        const texts = new Map(files.map(({ path: at, text }) => [at, text]));
        expect(texts.get('.berth/startup/environments')).toBe('web\nweb\n');
        expect(texts.get('.berth/startup/commands/1')).toBe(`${commands[0]!.replace(/\r\n?/g, '\n')}\n`);
        expect(texts.get('.berth/paths')!.split('\n')).toEqual([filePaths[0], '']);
      }),
    );
  });

  it('is one line of a list where it is a name or a version', () => {
    fc.assert(
      fc.property(nasty, nasty, fc.constantFrom('exactly', 'custom', 'compatible'), (name, specifier, constraint) => {
        const each = [
          pypi(`a${name}`, constraint, `1${specifier}`),
          pypi('b', constraint, specifier),
          conda(`a${name}`, name, constraint, `1${specifier}`),
          conda('b', '', constraint, specifier),
        ];
        for (const one of each) {
          const read = environmentsSchema.safeParse([{ name: 'main', packages: [one] }]);
          if (!read.success) continue;
          const texts = textsOf({ ...lists, channels: [], startupCommands: [], environments: read.data });
          for (const line of (texts['environments/main.txt'] ?? '').split('\n')) {
            expect(line).toMatch(/^$|^[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9._,-]+\])?[A-Za-z0-9.,*+!=<>~_-]*$/);
          }
          for (const line of (texts['environments/main.yml'] ?? '').split('\n')) {
            expect(line).toMatch(/^$|^\w+:$|^ {2}- "[\w.:/~+%,*!=<>| -]+"$/);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is plain where it stands in the Dockerfile itself', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const environments = environmentsSchema.safeParse([{ name: text }]);
        const user = userConfigurationSchema.safeParse({ isAdded: true, name: text, group: text });
        if (environments.success) expect(text).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
        if (user.success) expect(text).toMatch(/^[A-Za-z0-9]*$/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the Dockerfile that stands alone', () => {
  const runTexts = (dockerfile: string): string[] => {
    const instructions = readDockerfile(dockerfile);
    if (!Array.isArray(instructions)) throw new Error(instructions.message);
    const end = instructions.findIndex(({ word }, index) => index > 0 && word === 'FROM');
    return instructions
      .slice(0, end)
      .filter(({ word }) => word === 'RUN')
      .map(({ rest }) => rest);
  };

  it('writes the very same texts by a real shell, whatever is in them', () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-alone-'));
    try {
      fc.assert(
        fc.property(nasty, (command) => {
          const read = startupCommandsSchema.safeParse([{ command }]);
          fc.pre(read.success);
          const typed = { ...lists, startupCommands: read.data! };
          const dockerfile = writeStandalone(typed, usual);
          expect(checkDockerfile(dockerfile)).toBeUndefined();
          for (const script of runTexts(dockerfile)) {
            execFileSync('sh', ['-c', script.replaceAll('/recipe', `${root}/recipe`)]);
          }
          for (const { path: at, text } of listTexts(typed)) {
            expect(fs.readFileSync(`${root}/recipe/${at}`, 'utf8'), at).toBe(text);
          }
        }),
        { numRuns: 15 },
      );
    } finally {
      fs.rmSync(root, { recursive: true });
    }
  });

  it('reads nothing else of the build', () => {
    const dockerfile = writeStandalone(lists, usual);
    const sources = [...dockerfile.matchAll(/source=(\S+),target/g)].map(([, source]) => source);
    expect(sources.length).toBeGreaterThan(4);
    expect(sources.every((source) => source!.startsWith('/recipe/.berth/'))).toBe(true);
    expect(dockerfile.match(/from=recipe/g)!.length).toBe(sources.length + 1);
  });
});

it('files are put at their paths by a real shell, whatever is in their names', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-place-'));
  try {
    for (const name of [
      "it's",
      'a b',
      '$(id)',
      '`id`',
      '-rf',
      'a\\nb',
      '"',
      '*',
      'a\tb',
      ' lead',
      'trail ',
      'é',
      '\\',
    ]) {
      const target = `${root}/to/some where/${name}`;
      fs.mkdirSync(path.dirname(`${root}/from${target}`), { recursive: true });
      fs.writeFileSync(`${root}/from${target}`, name);
      execFileSync('sh', ['-c', PLACE_SCRIPT, 'sh', `${root}/from`], { input: `${target}\n` });
      expect(fs.readFileSync(target, 'utf8')).toBe(name);
    }
    expect(fs.readdirSync(`${root}/to/some where`)).toHaveLength(13);
    const folder = () =>
      execFileSync('sh', ['-c', PLACE_SCRIPT, 'sh', `${root}/from`], { input: `${root}/to\n`, stdio: 'pipe' });
    expect(folder).toThrow(/is a folder of the base image/);
  } finally {
    fs.rmSync(root, { recursive: true });
  }
});
