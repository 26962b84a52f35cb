import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonMembers, type JsonMember } from './json-members';

function readAll(text: string, cuts: number[] = [], maxBytes = 1e6, lists = ['packages', 'projects']): JsonMember[] {
  const bytes = Buffer.from(text);
  const members = new JsonMembers(new Set(lists), maxBytes);
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  const found = places.slice(1).flatMap((end, index) => members.push(bytes.subarray(places[index], end)));
  members.end();
  return found;
}

const plain = (found: JsonMember[]) => found.map(({ list, key, json }) => [list, key, JSON.parse(json!) as unknown]);

describe('entries of a JSON object', () => {
  it('come one by one, whatever lies beside them', () => {
    const text =
      '{"meta":{"packages":[1]},"n": 1, "projects" : [ {"name":"a]}\\"\\\\"}, 5 ,"x",[[],{}]] ,"packages":{}}';
    expect(plain(readAll(text))).toEqual([
      ['projects', '', { name: 'a]}"\\' }],
      ['projects', '', 5],
      ['projects', '', 'x'],
      ['projects', '', [[], {}]],
    ]);
  });

  it('are those that a whole reading finds, however the bytes are cut', () => {
    const entries = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    const whole = fc.record({ packages: entries, other: fc.jsonValue(), projects: entries }, { requiredKeys: [] });
    fc.assert(
      fc.property(whole, fc.array(fc.nat(), { maxLength: 20 }), fc.nat(2), (value, cuts, indent) => {
        const text = JSON.stringify(value, null, indent);
        const clean = JSON.parse(text) as typeof value;
        const expected = (['packages', 'projects'] as const)
          .filter((list) => clean[list] !== undefined)
          .flatMap((list) =>
            Object.entries(clean[list]!).map(([key, entry]) => [list, Array.isArray(clean[list]) ? '' : key, entry]),
          );
        const found = plain(readAll(text, cuts));
        const texts = (values: unknown[]) => values.map((each) => JSON.stringify(each)).sort();
        expect(texts(found)).toEqual(texts(expected));
      }),
      { numRuns: 300 },
    );
  });

  it('that are too long are passed over', () => {
    const found = readAll(JSON.stringify({ packages: { a: 'x'.repeat(10_000), b: 1 } }), [50, 5000], 100);
    expect(found).toEqual([
      { list: 'packages', key: 'a', json: undefined },
      { list: 'packages', key: 'b', json: '1' },
    ]);
  });

  it('of what is no object, or ends too early, are an error', () => {
    for (const text of ['', '[1]', '"a"', '5', '{"packages":{', '{"packages":[1]', '{}{}', '}', '<html></html>'])
      expect(() => readAll(text), text).toThrow();
    expect(() => readAll(`{"${'k'.repeat(5000)}":1}`)).toThrow('A name is too long.');
  });
});
