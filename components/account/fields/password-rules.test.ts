import { describe, expect, it } from 'vitest';
import { accountSchema, newPasswordSchema, passwordRules, usernameSchema } from './password-rules';

const GOOD = 'Berth!pass1';
const messagesOf = (password: string, passwordConfirm = password) =>
  (newPasswordSchema.safeParse({ password, passwordConfirm }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

describe('a new password', () => {
  it('is taken when it meets the rules and is typed the same twice', () => {
    expect(messagesOf(GOOD)).toEqual([]);
    expect(messagesOf(GOOD, 'other')).toEqual(['passwordConfirm: passwordsDoNotMatch']);
  });

  it.each([
    ['password', 'weakPassword'],
    ['Berth!p1', undefined],
    ['Be!1', 'passwordLength'],
  ])('%s: %s', (password, message) => {
    expect(messagesOf(password)).toEqual(message ? [`password: ${message}`] : []);
  });

  it('ticks each rule by itself', () => {
    const met = (value: string) => passwordRules.filter((rule) => rule.isMet(value)).map((rule) => rule.key);
    expect(met('a')).toEqual([]);
    expect(met('A1')).toEqual(['capital', 'number']);
    expect(met(GOOD)).toEqual(['length', 'capital', 'number', 'special']);
  });
});

it.each([
  ['mara', true],
  ['m.a-r_a1', true],
  ['ma', false],
  ['-mara', false],
  ['mara lind', false],
  ['m'.repeat(151), false],
])('the username %s is taken: %s', (username, isTaken) => {
  expect(usernameSchema.safeParse(username).success).toBe(isTaken);
});

it('names every field of an empty account', () => {
  const empty = { name: '', username: '', email: '', password: '', passwordConfirm: '' };
  const paths = accountSchema.safeParse(empty).error?.issues.map(({ path }) => path[0]);
  expect(new Set(paths)).toEqual(new Set(Object.keys(empty)));
});
