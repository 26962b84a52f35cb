import { describe, expect, it } from 'vitest';
import { sentenceTranslator } from './sentences';

const say = sentenceTranslator({
  'Not found.': 'Nincs ilyen.',
  'Port {0} of {1} is taken.': '{1}: a(z) {0} port foglalt.',
  '{0} is taken.': '{0} foglalt.',
  'It failed: {0}': 'Nem sikerült: {0}',
  'Stays (really).': 'Marad (tényleg).',
  'For no eyes.': '',
});

describe('a sentence of the server', () => {
  it.each([
    ['is said in the other language', 'Not found.', 'Nincs ilyen.'],
    ['keeps what differs, in the other order', 'Port 80 of lab is taken.', 'lab: a(z) 80 port foglalt.'],
    ['fits the pattern that says most', 'lab is taken.', 'lab foglalt.'],
    ['may hold another', 'It failed: Not found.', 'Nem sikerült: Nincs ilyen.'],
    ['is read by itself among others', 'Not found. connect ECONNREFUSED. lab is taken.', 'Nincs ilyen. connect ECONNREFUSED. lab foglalt.'],
    ['is read line by line', 'Not found.\nNot found.', 'Nincs ilyen.\nNincs ilyen.'],
    ['holds no expression', 'Stays (really).', 'Marad (tényleg).'],
    ['stays where nobody knows it', 'The engine says no.', 'The engine says no.'],
    ['stays where it is not for people', 'For no eyes.', 'For no eyes.'],
    ['may be nothing', '', ''],
  ])('%s', (_, text, said) => expect([say(text), say(text)]).toEqual([said, said]));

  it('of an engine that says very much stays, at once', () => {
    const text = 'Port of of of '.repeat(100_000);
    expect(say(text)).toBe(text);
  });
});
