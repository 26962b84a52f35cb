import { ClientResponseError } from 'pocketbase';
import { expect, it } from 'vitest';
import { readSignInNeed } from './sign-in-need';

const refusal = (data: object, status = 400) => new ClientResponseError({ status, response: { data } });

it('reads that a code is asked for, and by which factors', () => {
  expect(readSignInNeed(refusal({ pendingToken: 'p', factors: ['totp', 'recoveryCode'] }))).toEqual({
    kind: 'code',
    pendingToken: 'p',
    factors: ['totp', 'recoveryCode'],
  });
});

it('reads that a second factor has to be set up first', () => {
  expect(readSignInNeed(refusal({ enrolmentToken: 'e' }))).toEqual({ kind: 'enrol', enrolmentToken: 'e' });
});

it.each([
  [refusal({ pendingToken: 'p', factors: ['carrier pigeon'] })],
  [refusal({ pendingToken: 'p', factors: [] }, 403)],
  [refusal({ identity: { code: 'x', message: 'Wrong.' } })],
  [new Error('offline')],
])('takes any other refusal for what it is', (error) => {
  expect(readSignInNeed(error)).toBeUndefined();
});
