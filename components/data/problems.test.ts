import { ClientResponseError } from 'pocketbase';
import { describe, expect, it } from 'vitest';
import { fieldProblems, isToldElsewhere, messageOf, statusOf } from './problems';

const answer = (status: number, response: object) => new ClientResponseError({ status, response });

describe('what a refused call says', () => {
  it('is a problem for each wrong field, however deep', () => {
    const data = {
      name: { code: 'validation_required', message: 'Cannot be blank.' },
      ports: { 1: { hostPort: { code: 'taken', message: 'Is taken.' } } },
    };
    expect(fieldProblems(answer(400, { data }))).toEqual([
      { path: 'name', code: 'validation_required', message: 'Cannot be blank.' },
      { path: 'ports.1.hostPort', code: 'taken', message: 'Is taken.' },
    ]);
  });

  it('has no fields when it is no answer of the API', () => {
    expect(fieldProblems(new Error('offline'))).toEqual([]);
    expect(fieldProblems(answer(500, {}))).toEqual([]);
    expect(statusOf(new Error('offline'))).toBe(0);
  });

  it('has a sentence only where the server gave one', () => {
    expect(messageOf(answer(400, { message: 'Not now.' }))).toBe('Not now.');
    expect(messageOf(answer(400, { message: '' }))).toBeUndefined();
    expect(messageOf(answer(0, { message: 'Failed to fetch' }))).toBeUndefined();
  });

  it('is told elsewhere when the session ended or calls were too many', () => {
    expect([400, 401, 403, 429].filter((status) => isToldElsewhere(answer(status, {})))).toEqual([401, 429]);
  });
});
