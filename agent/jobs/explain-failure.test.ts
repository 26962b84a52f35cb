import { describe, expect, it } from 'vitest';
import { explainFailure, LogTail } from './explain-failure';

const step = '#7 [environment-1 1/1] RUN pip install --prefix /opt/berth/environments/main\n';
const asStep = (text: string) => step + text.replace(/^/gm, '#7 ');

describe('why environments could not be made', () => {
  it.each([
    [
      'of pip, for two that ask for different versions',
      `ERROR: Cannot install app==1.0 and demo==2.0 because these package versions have conflicting dependencies.

The conflict is caused by:
    The user requested demo==2.0
    app 1.0 depends on demo<2

To fix this you could try to:
1. loosen the range of package versions you've specified`,
      'Environment main: demo==2.0 is asked for, but app 1.0 needs demo<2.',
    ],
    [
      'of pip, for a version that is not there',
      `ERROR: Could not find a version that satisfies the requirement demo==9 (from versions: 1.0, 2.0)
ERROR: No matching distribution found for demo==9`,
      'Environment main: nothing fits demo==9, the index has 1.0, 2.0.',
    ],
    [
      'of pip, for what a package needs and nobody has',
      `ERROR: Could not find a version that satisfies the requirement part>=1 (from app) (from versions: none)`,
      'Environment main: nothing fits part>=1, which app needs, the index does not have it.',
    ],
    [
      'of uv',
      `  × No solution found when resolving dependencies:
  ╰─▶ Because app==1.0 depends on demo<2 and you require app==1.0, we can
      conclude that you require demo<2.
      And because you require demo==2.0, we can conclude that your
      requirements are unsatisfiable.`,
      'Environment main: Because app==1.0 depends on demo<2 and you require app==1.0, we can conclude that you require demo<2. ' +
        'And because you require demo==2.0, we can conclude that your requirements are unsatisfiable.',
    ],
    [
      'of micromamba',
      `error    libmamba Could not solve for environment specs
    The following packages are incompatible
    ├─ a =1.0 * is installable and it requires
    │  └─ b <2,>=1 *, which can be installed;
    └─ b =2.0 * is not installable because it conflicts with any installable versions previously reported.
critical libmamba Could not solve for environment specs`,
      'Environment main: a =1.0 * is installable and it requires b <2,>=1 *, which can be installed; ' +
        'b =2.0 * is not installable because it conflicts with any installable versions previously reported.',
    ],
    [
      'of a script of the build',
      'berth: the base image lacks python\nberth: it has no package manager that is known here.',
      'Environment main: the base image lacks python\nit has no package manager that is known here.',
    ],
    ['of nothing that is known', 'E: Unable to locate package x', ''],
  ])('are told in words %s', (_, text, words) => {
    expect(explainFailure(asStep(text))).toBe(words);
  });

  it('are looked for in the end of a log, however long it is', () => {
    const tail = new LogTail();
    for (let index = 0; index < 5000; index += 1) tail.append(`#7 ${'x'.repeat(200)}\n`);
    tail.append(
      asStep('ERROR: Could not find a version that satisfies the requirement demo==9 (from versions: 1.0)\n'),
    );
    expect(tail.text.length).toBeLessThanOrEqual(64 * 1024);
    expect(explainFailure(tail.text)).toContain('nothing fits demo==9');
  });

  it('take no time to be looked for, whatever a package prints', () => {
    const nasty = `Could not find a version that satisfies the requirement ${'(from '.repeat(10_000)}`;
    const before = performance.now();
    explainFailure(nasty);
    explainFailure('The following packages are incompatible\n' + '│ '.repeat(30_000));
    expect(performance.now() - before).toBeLessThan(500);
  });
});
