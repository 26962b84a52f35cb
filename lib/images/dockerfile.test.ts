import { describe, expect, test } from 'vitest';
import { checkDockerfile } from './dockerfile';

describe('checkDockerfile', () => {
  test.each([
    ['a plain one', 'FROM ubuntu:24.04\nRUN ls\n'],
    ['ARG first', '# note\nARG V=1\nFROM a:$V\n'],
    ['lower case', 'from a\nrun b'],
    ['continued lines with comments between', 'FROM a\nRUN b \\\n# note\n\n  && c \\\n  && d\nCMD ["x"]'],
    ['another escape', '# escape=`\nFROM a\nRUN b `\n  c'],
    ['a here-document', 'FROM a\nRUN <<EOF\nnot an instruction\nEOF\nCMD x'],
    ['a shift in a shell line', 'FROM a\nRUN echo $((1<<2))\nCMD x'],
    ['Windows line ends', 'FROM a\r\nRUN b\r\n'],
  ])('takes %s', (_, source) => expect(checkDockerfile(source)).toBeUndefined());

  test.each([
    ['', 1],
    ['# nothing', 1],
    ['RUN ls\nFROM a', 1],
    ['FROM a\n\nRUM ls', 3],
    ['FROM a\nRUN b \\\n  c\nCOPPY x y', 4],
    ['FROM', 1],
    ['FROM a\nCMD', 2],
    ['ARG A=1', 1],
    ['FROM a\nCOPY <<EOF /x\nnever ends', 2],
  ])('names the line of what is wrong in %j', (source, line) => expect(checkDockerfile(source)?.line).toBe(line));
});
