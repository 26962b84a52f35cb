import { ClientResponseError } from 'pocketbase';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { applyProblems, listProblems, wrongFields } from './form-problems';

describe('the problems of a form', () => {
  it('are listed flat, rows of lists by their number', () => {
    const errors = {
      name: { type: 'custom', message: 'required' },
      portMappings: [undefined, { hostPort: { type: 'custom', message: 'duplicateHostPort', ref: { name: 'x' } } }],
    };
    expect(listProblems(errors)).toEqual([
      { path: 'name', message: 'required' },
      { path: 'portMappings.1.hostPort', message: 'duplicateHostPort' },
    ]);
    expect(listProblems(undefined)).toEqual([]);
  });

  it('mark the section of their field, and no other', () => {
    const isWrong = wrongFields([{ path: 'portMappings.1.hostPort', message: '' }]);
    expect(isWrong('name', 'portMappings')).toBe(true);
    expect(isWrong('name', 'hostPort')).toBe(false);
  });
});

describe('a refused save', () => {
  beforeEach(() => {
    vi.stubGlobal('requestAnimationFrame', vi.fn());
    return () => vi.unstubAllGlobals();
  });

  const refusal = (status: number, data: object, message = 'Failed to update record.') =>
    new ClientResponseError({ status, response: { message, data } });

  function form() {
    const setError = vi.fn();
    const values = { name: '', portMappings: [] };
    return { setError, form: { setError, getValues: () => values } as unknown as UseFormReturn<FieldValues> };
  }

  it('puts each problem beside its field, in our words where there are some', () => {
    const { form: own, setError } = form();
    const error = refusal(400, {
      name: { code: 'validation_required', message: 'Cannot be blank.' },
      portMappings: { 0: { hostPort: { code: 'port_taken', message: 'Port 80 is taken.' } } },
    });
    expect(applyProblems(own, error, 'general')).toEqual([]);
    expect(setError.mock.calls).toEqual([
      ['name', { type: 'server', message: 'required' }],
      ['portMappings.0.hostPort', { type: 'server', message: 'Port 80 is taken.' }],
    ]);
  });

  it('tells a taken name once, at the first field of it that the form has', () => {
    const taken = { code: 'validation_not_unique', message: 'Taken on the host.' };
    const one = form();
    applyProblems(one.form, refusal(400, { name: taken, portMappings: taken }), 'general');
    expect(one.setError.mock.calls).toEqual([['name', { type: 'server', message: 'Taken on the host.' }]]);
    const other = form();
    const error = refusal(400, { repository: taken, tag: taken });
    expect(applyProblems(other.form, error, 'general', { repository: 'name', tag: 'name' })).toEqual([]);
    expect(other.setError.mock.calls).toEqual([['name', { type: 'server', message: 'Taken on the host.' }]]);
  });

  it('returns what belongs to no field of the form', () => {
    const { form: own, setError } = form();
    const error = refusal(400, { other: { code: 'x', message: 'Other is wrong.' } });
    expect(applyProblems(own, error, 'general')).toEqual(['Other is wrong.']);
    expect(applyProblems(own, refusal(403, {}, 'Not for you.'), 'general')).toEqual(['Not for you.']);
    expect(applyProblems(own, new Error('offline'), 'general')).toEqual(['general']);
    expect(setError).not.toHaveBeenCalled();
  });

  it('says nothing of a session that ended: that has a notice of its own', () => {
    expect(applyProblems(form().form, refusal(401, {}), 'general')).toEqual([]);
  });
});
