import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '@/lib/records/filter/parse';
import { tokenize } from '@/lib/records/filter/tokens';
import { fieldHas, fieldIs } from './filter-text';
import { readMeaning } from './search-filter';
import { fieldTerm, namedTerm, ownerTerm, tagTerm } from './search-terms';

const keys = [
  { ...ownerTerm('ann'), key: 'owner', label: 'Owner', values: [{ value: 'me', label: 'Me' }] },
  {
    ...fieldTerm('status'),
    key: 'status',
    label: 'Status',
    values: [
      { value: 'running', label: 'Läuft gut' },
      { value: 'stopped', label: 'Steht' },
    ],
  },
  {
    ...fieldTerm('enabled', (value) => value === 'yes'),
    key: 'enabled',
    label: 'State',
    values: [{ value: 'yes', label: 'Active' }],
  },
  { ...namedTerm('host', ['name'], 'hosts'), key: 'host', label: 'Host', values: [] },
  { ...tagTerm, key: 'tag', label: 'Tag', values: [] },
];
const meaning = (text: string) => readMeaning(text, { keys, fields: ['name', 'repository'] });

describe('the meaning of a search', () => {
  it.each([
    ['', ''],
    ['web', "(name ~ 'web' || repository ~ 'web')"],
    ['owner:me', "created_by = 'ann'"],
    ['-owner:me', "created_by != 'ann'"],
    ['OWNER:Me tag:Course', `created_by = 'ann' && tags ~ '"course"'`],
    ['-tag:x', `tags !~ '"x"'`],
    ['tag:a tag:b', `tags ~ '"a"' && tags ~ '"b"'`],
    ['status:running status:stopped', "(status = 'running' || status = 'stopped')"],
    ['-status:running -status:stopped', "status != 'running' && status != 'stopped'"],
    ['status:"läuft GUT"', "status = 'running'"],
    ['enabled:yes', 'enabled = true'],
    ['host:a', "host.name ~ 'a'"],
    ['-host:a', "(host.id = '' || (host.name !~ 'a'))"],
    ['status:', ''],
  ])('%j is %s', (text, filter) => {
    expect(meaning(text)).toEqual({ filter, hints: [] });
  });

  it('of what is no term is text, and that is told', () => {
    expect(meaning('color:red')).toEqual({
      filter: "(name ~ 'color:red' || repository ~ 'color:red')",
      hints: [{ kind: 'unknownKey', key: 'color', value: 'red' }],
    });
    expect(meaning('-status:odd').hints).toEqual([{ kind: 'unknownValue', key: 'status', value: 'odd' }]);
    expect(meaning('tag:100%').hints).toEqual([{ kind: 'unknownValue', key: 'tag', value: '100%' }]);
  });

  it('of more terms than are told apart is text, and that is told', () => {
    const tags = Array.from({ length: 17 }, (_, index) => `tag:t${index}`).join(' ');
    const { filter, hints } = meaning(`${tags} odd:x -status:odd`);
    expect(filter).toContain(`tags ~ '"t15"'`);
    expect(filter).toContain("name ~ 'tag:t16'");
    expect(hints.map(({ kind }) => kind)).toEqual(['tooMany', 'unknownKey', 'unknownValue']);
  });

  it('of very many words is one text', () => {
    const words = Array.from({ length: 60 }, (_, index) => `w${index}`).join(' ');
    expect(meaning(words).filter).toBe(`(name ~ '${words}' || repository ~ '${words}')`);
  });

  it('is a filter whatever is typed, of no more conditions than the words make', () => {
    const word = fc.string({ unit: fc.constantFrom(...`ab'"\\%_:-()|&@#{}/ \n$é😀`), maxLength: 20 });
    const term = fc.tuple(fc.constantFrom('', 'tag:', '-owner:', 'host:', '-host:', 'status:', 'odd:'), word);
    fc.assert(
      fc.property(fc.array(term, { maxLength: 8 }), (terms) => {
        const text = terms
          .map((parts) => parts.join(''))
          .join(' ')
          .slice(0, 200);
        const { filter } = meaning(text);
        if (filter === '') return;
        parseFilter(filter);
        const names = tokenize(filter).flatMap((token) => (token.type === 'identifier' ? [token.text] : []));
        const known = [
          'name',
          'repository',
          'created_by',
          'created_by.id',
          'created_by.username',
          'created_by.name',
          'status',
          'host.id',
          'host.name',
          'tags',
        ];
        expect(names.filter((name) => !known.includes(name))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('lets no text out of its literal, nor any name into it that closes the list to people', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(`'`, `\\`, `"`, '%', '@request.', '$&', '$`'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      maxLength: 30,
    });
    const shape = (filter: string) => tokenize(filter).map((token) => token.type);
    fc.assert(
      fc.property(text, fc.boolean(), (value, isNot) => {
        expect(shape(fieldHas('name', value, isNot))).toEqual(['identifier', 'operator', 'text']);
        expect(shape(fieldIs('name', value, isNot))).toEqual(['identifier', 'operator', 'text']);
        expect(fieldHas('name', value)).not.toMatch(/@request\.|@collection\./);
      }),
      { numRuns: 2000 },
    );
  });
});
