import { expect, it } from 'vitest';
import { isHostAddress } from './host-address';

it.each(['hopper', 'hopper.lab.example.org', 'Hopper.Lab', '10.0.0.7', 'fd00::7', '2001:db8::1'])(
  'takes %s',
  (text) => {
    expect(isHostAddress(text)).toBe(true);
  },
);

it.each([
  '',
  ' ',
  'http://hopper',
  'hopper:8080',
  '[fd00::7]',
  'a b',
  'hopper/',
  'user@hopper',
  '10.0.0.256',
  '1.2.3',
  '-a',
])('refuses "%s"', (text) => {
  expect(isHostAddress(text)).toBe(false);
});
