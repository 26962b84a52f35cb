import { describe, expect, it } from 'vitest';
import { splitShellWords } from './shell-words';

describe('splitShellWords', () => {
  it.each([
    ['', []],
    ['  sleep   60 ', ['sleep', '60']],
    [`sh -c 'echo "a b"; sleep 1'`, ['sh', '-c', 'echo "a b"; sleep 1']],
    [`echo "a \\"b\\" \\n"`, ['echo', 'a "b" \\n']],
    [`a\\ b c''d ""`, ['a b', 'cd', '']],
  ])('splits %s', (command, words) => {
    expect(splitShellWords(command)).toEqual(words);
  });

  it.each([`echo 'open`, `echo "open`, 'echo \\'])('refuses %s', (command) => {
    expect(splitShellWords(command)).toBeUndefined();
  });
});
