import { expect, it } from 'vitest';
import { wrongLineOf } from './wrong-line';

const dockerfile = [
  'FROM ubuntu:24.04',
  '',
  '# tools',
  'RUN apt-get update \\',
  '    && apt-get install -y nothing',
  'RUN echo "about to fail" && exit 3',
].join('\n');

it.each([
  ['Line 3: unknown instruction FRMO.', 3],
  ['dockerfile parse error on line 5: unknown flag: mount', 5],
  [
    'process "/bin/sh -c apt-get update     && apt-get install -y nothing" did not complete successfully: exit code: 100',
    4,
  ],
  ['process "/bin/sh -c echo \\"about to fail\\" && exit 3" did not complete successfully: exit code: 3', 6],
  ['executor failed running [/bin/sh -c echo "about to fail" && exit 3]: exit code: 3', 6],
  ['docker.io/library/ubuntu:24.04: not found', 1],
  ['ubuntu:24.04: failed to resolve source metadata for docker.io/library/ubuntu:24.04', 1],
  ['no space left on device', undefined],
])('%s is about line %s', (words, line) => expect(wrongLineOf(words, dockerfile)).toBe(line));
