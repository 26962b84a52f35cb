import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLocks } from '@/lib/vocabulary/build-lock';
import { readLockText, toExactRequirements, toExplicitList, writeLockText } from './lock-text';

const HEAD = 'berth-lock 1\n';
const URL_OF = 'https://conda.anaconda.org/conda-forge/linux-64/ca-certificates-2024.2.2-hbcca054_0.conda';
const text = `${HEAD}conda ${URL_OF}#2f4327a1cbe7f022401b236e915a5fef\npython 3.12.3\npypi demo 1.4.2\npypi demo-part 1.1+cu121\n`;

describe('the text that an image says its environment in', () => {
  it('comes to packages, and back to the same text', () => {
    const read = readLockText('main', text);
    expect(read).toMatchObject({ name: 'main', python: '3.12.3', problem: '' });
    expect(read.packages.map(({ manager, name, version, build }) => [manager, name, version, build])).toEqual([
      ['conda', 'ca-certificates', '2024.2.2', 'hbcca054_0'],
      ['pypi', 'demo', '1.4.2', ''],
      ['pypi', 'demo-part', '1.1+cu121', ''],
    ]);
    expect(read.packages[0]?.channel).toBe('https://conda.anaconda.org/conda-forge');
    expect(writeLockText(read)).toBe(text);
    expect(toExactRequirements(read)).toBe('demo==1.4.2\ndemo-part==1.1+cu121\n');
    expect(toExplicitList(read)).toBe(`@EXPLICIT\n${URL_OF}#2f4327a1cbe7f022401b236e915a5fef\n`);
  });

  it.each([
    ['nothing', ''],
    ['another text', 'root:x:0:0\n'],
    ['a terminal’s orders', `${HEAD}pypi demo 1.0\u001b[2J\n`],
    ['an option of pip', `${HEAD}pypi --index-url=http://evil 1\n`],
    ['a command', `${HEAD}pypi demo 1;touch\n`],
    ['a second word', `${HEAD}pypi demo 1.0 --hash=x\n`],
    ['an address with a line in it', `${HEAD}conda https://x/y/a-1-0.conda \n`],
    ['an address of no package', `${HEAD}conda https://x/y/passwd\n`],
    ['no end', `${HEAD}pypi demo 1.0`],
    ['a million lines', HEAD + 'pypi a 1\n'.repeat(1_000_000)],
    ['one endless line', `${HEAD}conda ${'https://x/-'.repeat(90_000)}\n`],
  ])('is refused and not quoted: %s', (_, bad) => {
    const before = performance.now();
    const { packages, python, problem } = readLockText('main', bad);
    expect([packages, python, problem]).toEqual([[], '', expect.stringMatching(/^It[ s][\w ]+\.$/)]);
    expect(performance.now() - before).toBeLessThan(2000);
  });

  it('never lets through what pip or micromamba would read as more than a package', () => {
    const line = fc.stringMatching(/^(pypi|conda|python) [ -~]{0,60}$/);
    fc.assert(
      fc.property(line, (each) => {
        const read = readLockText('main', `${HEAD}${each}\n`);
        for (const row of toExactRequirements(read).split('\n').filter(Boolean)) {
          expect(row).toMatch(/^[A-Za-z0-9][\w.-]*==[A-Za-z0-9][\w.!+-]*$/);
        }
        for (const row of toExplicitList(read).split('\n').slice(1).filter(Boolean)) {
          expect(row).toMatch(/^(https?|file):\/\/\S+\.(conda|tar\.bz2)(#\S+)?$/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('two locks side by side', () => {
  const lockOf = (lines: string, imageId = 'sha256:a') => ({
    bases: [{ name: 'ubuntu:24.04', imageId, digest: '' }],
    environments: [readLockText('main', `${HEAD}${lines}`)],
  });

  it('differ in what was added, removed and changed, whatever the spelling of a name', () => {
    const from = lockOf('python 3.12.3\npypi PyYAML 6.0\npypi gone 1\npypi kept 1\n');
    const to = lockOf('python 3.12.4\npypi kept 1\npypi new 1\npypi pyyaml 6.1\n', 'sha256:b');
    const { changes, same } = compareLocks(from, to);
    expect(changes.map(({ kind, name, from: was, to: is }) => [kind, name, was, is])).toEqual([
      ['base', 'ubuntu:24.04', 'a', 'b'],
      ['python', 'Python', '3.12.3', '3.12.4'],
      ['pypi', 'gone', '1', ''],
      ['pypi', 'new', '', '1'],
      ['pypi', 'PyYAML', '6.0', '6.1'],
    ]);
    expect(same.map(({ name }) => name)).toEqual(['kept']);
  });

  it('differ where a package of the same version is another', () => {
    const at = (hash: string) => lockOf(`conda https://x/y/linux-64/a-1-0.conda#${hash.repeat(32)}\n`);
    expect(compareLocks(at('0'), at('1')).changes).toHaveLength(1);
  });
});
