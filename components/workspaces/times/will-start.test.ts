import { expect, it } from 'vitest';
import { willStart } from './will-start';

const resting = {
  enabled: true,
  desired: 'stopped',
  status: 'stopped',
  nextStartAt: '2026-03-03 07:00:00.000Z',
} as const;

it.each([
  [{}, true],
  [{ enabled: false }, false],
  [{ nextStartAt: '' }, false],
  [{ desired: 'running', status: 'running' }, false],
  [{ desired: 'running', status: 'starting' }, false],
  [{ desired: 'running', status: 'error' }, true],
  [{ desired: 'running', status: 'stopped' }, true],
] as const)('with %j it is started: %s', (more, expected) => {
  expect(willStart({ ...resting, ...more })).toBe(expected);
});
