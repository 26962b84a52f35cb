import { expect, it } from 'vitest';
import { BuildSteps } from './build-steps';

function stepsOf(log: string) {
  const steps = new BuildSteps();
  for (const line of log.split('\n')) steps.take(line);
  return steps;
}
const shape = (steps: BuildSteps) =>
  steps
    .toStages()
    .map(({ name, steps: each }) => [
      name,
      each.map((step) => `${step.place} ${step.name} ${step.state} ${step.seconds ?? ''}`.trim()),
    ]);

it('follows steps of several stages that run side by side', () => {
  const steps = stepsOf(
    [
      'Pulling debian:12',
      '#1 [base 1/2] FROM docker.io/library/debian:12',
      '#1 CACHED',
      '',
      '#2 [web 1/2] RUN pip install',
      '#3 [base 2/2] RUN apt-get update',
      '#2 DONE 9.9s of something else',
      '#2 Collecting flask',
      '#3 DONE 12.3s',
      '#2 ERROR: process "/bin/sh" did not complete',
      '#4 exporting to image',
      '#4 DONE 0.1s',
    ].join('\n'),
  );
  expect(shape(steps)).toEqual([
    ['base', ['1/2 FROM docker.io/library/debian:12 cached', '2/2 RUN apt-get update done 12.3']],
    ['web', ['1/2 RUN pip install failed']],
    ['', ['exporting to image done 0.1']],
  ]);
});

it('a step that ran when its build ended was stopped with it', () => {
  const steps = stepsOf('#1 [1/2] FROM a\n#1 CACHED\n#2 [2/2] RUN sleep 600');
  steps.close('stopped');
  expect(shape(steps)).toEqual([['', ['1/2 FROM a cached', '2/2 RUN sleep 600 stopped']]]);
});

it('holds so many steps, whatever a log says', () => {
  const steps = new BuildSteps();
  for (let number = 1; number <= 5000; number += 1) steps.take(`#${number} [1/1] RUN x`);
  expect(steps.toStages()[0]!.steps).toHaveLength(2000);
  expect(steps.take(`#${'9'.repeat(400)} x`)).toBe(false);
});
