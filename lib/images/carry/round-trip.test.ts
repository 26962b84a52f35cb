import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ImageEnvironment } from '@/lib/vocabulary/image';
import { environmentsSchema } from '@/lib/vocabulary/image-schemas';
import { toEnvironmentYml, toRequirementsTxt } from './export-lists';
import { importLists } from './import-lists';

const number = fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30)).map((parts) => parts.join('.'));
const version = fc.oneof(
  fc.constant({ constraint: 'unconstrained', specifier: '' }),
  fc.record({
    constraint: fc.constantFrom('exactly', 'minimum', 'maximum', 'exclude', 'compatible'),
    specifier: number,
  }),
  number.map((each) => ({ constraint: 'exactly', specifier: `${each}.*` })),
  number.map((each) => ({ constraint: 'exclude', specifier: `${each}.*` })),
  number.map((each) => ({ constraint: 'custom', specifier: `>=${each},<99` })),
  number.map((each) => ({ constraint: 'custom', specifier: `<${each}` })),
);
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}(-[a-z0-9]{1,4})?$/).filter((name) => name !== 'pip');
const extras = fc.constantFrom('', '[x]', '[x,y-z]');
const pypi = fc.record({ name: fc.tuple(word, extras).map((parts) => parts.join('')), version }).map((each) => {
  return { manager: 'pypi', ...each };
});
const CHANNELS = ['conda-forge', 'bioconda', 'team/label/dev', 'https://conda.corp:8443/team'];
const conda = fc.record({ name: word, version, channel: fc.constantFrom('', ...CHANNELS) }).map((each) => {
  return { manager: 'conda', ...each };
});
const known = new Set(['conda-forge', 'bioconda']);
const channels = CHANNELS.map((name) => ({ name, isUserGenerated: !known.has(name) }));

/** Without two of one name, and those of conda first, as the file has them. */
const environmentOf = (condaOnes: object[], pypiOnes: object[]): ImageEnvironment | undefined =>
  environmentsSchema.safeParse([{ name: 'science', channels, packages: [...condaOnes, ...pypiOnes] }]).data?.[0];

it('a requirements.txt comes back as it went', () => {
  fc.assert(
    fc.property(fc.array(pypi, { maxLength: 8 }), (packages) => {
      const environment = environmentOf([], packages);
      fc.pre(environment !== undefined);
      const text = toRequirementsTxt(environment!);
      const back = importLists({ text: text || '\n', file: 'requirements.txt' });
      expect(back.leftOut).toEqual([]);
      expect(back.environments).toEqual([{ ...environment!, name: '', channels: [] }]);
    }),
  );
});

it('an environment.yml comes back as it went', () => {
  fc.assert(
    fc.property(
      fc.array(conda, { minLength: 1, maxLength: 6 }),
      fc.array(pypi, { maxLength: 6 }),
      (condaOnes, pypiOnes) => {
        const environment = environmentOf(condaOnes, pypiOnes);
        fc.pre(environment !== undefined);
        const back = importLists({ text: toEnvironmentYml(environment!, []), file: 'environment.yml' });
        expect(back.leftOut).toEqual([]);
        expect(back.environments).toEqual([environment]);
      },
    ),
  );
});

it('an environment of conda alone has what it is made with in words', () => {
  const environment = environmentsSchema.parse([{ name: 'web', packages: [{ manager: 'pypi', name: 'flask' }] }])[0]!;
  expect(toEnvironmentYml(environment, ['site'])).toBe(
    'name: "web"\nchannels:\n  - "site"\ndependencies:\n  - "python"\n  - "pip"\n  - pip:\n      - "flask"\n',
  );
});
