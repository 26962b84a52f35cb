import { expect, it } from 'vitest';
import { parseDotEnv, readDotEnvFile } from './dot-env';

const valuesOf = (text: string) => {
  const read = parseDotEnv(text);
  return 'entries' in read ? Object.fromEntries(read.entries.map(({ name, value }) => [name, value])) : read;
};

it.each<[string, Record<string, string>]>([
  ['A=1\nB = two words \n', { A: '1', B: 'two words' }],
  ['# a comment\n\nexport A=1 # why\r\nB=a#b', { A: '1', B: 'a#b' }],
  ['A=\nB=""', { A: '', B: '' }],
  ['A=\'a \\n b\' # c\nB="a \\n \\"b\\" \\\\n"', { A: 'a \\n b', B: 'a \n "b" \\n' }],
  ['KEY="-----BEGIN\nabc\n-----END"\nB=2', { KEY: '-----BEGIN\nabc\n-----END', B: '2' }],
  ['J=\'{\n  "a": 1\n}\'', { J: '{\n  "a": 1\n}' }],
  ['URL=https://example.org/?a=b', { URL: 'https://example.org/?a=b' }],
  ['\uFEFFA=1', { A: '1' }],
  ['A=1\nA=2', { A: '2' }],
])('reads %j', (text, values) => expect(valuesOf(text)).toEqual(values));

it.each([
  ['A=1\nnonsense', 2],
  ['A=1\n\n1B=2', 3],
  ['A="open\nB=2', 1],
  ['A="a" b', 1],
])('names the line of what is none in %j', (text, line) => expect(parseDotEnv(text)).toEqual({ wrongLine: line }));

it('is read from a file as text, and refused where that is too large or no text', async () => {
  expect(await readDotEnvFile(new Blob(['KEY="a\nb"\n']))).toEqual({ text: 'KEY="a\nb"\n' });
  expect(await readDotEnvFile(new Blob(['#'.repeat(50 * 1024)]))).toHaveProperty('text');
  expect(await readDotEnvFile(new Blob(['#'.repeat(50 * 1024 + 1)]))).toEqual({ refusal: 'tooLong' });
  expect(await readDotEnvFile(new Blob([new Uint8Array([0xff, 0xfe, 0x41])]))).toEqual({ refusal: 'notText' });
  expect(await readDotEnvFile(new Blob(['A=1\u0000']))).toEqual({ refusal: 'notText' });
});
