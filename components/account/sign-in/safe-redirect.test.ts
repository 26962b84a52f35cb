import { describe, expect, test } from 'vitest';
import { safeRedirect } from './safe-redirect';

describe('the address to go to after a log-in', () => {
  test.each([
    ['/', '/'],
    ['/workspaces', '/workspaces'],
    ['/workspace/abc?tab=settings#ports', '/workspace/abc?tab=settings#ports'],
    ['/users?search=%2F%2Fevil.example', '/users?search=%2F%2Fevil.example'],
    ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['/%5C%5Cevil.example', '/%5C%5Cevil.example'],
    ['/a/../images', '/images'],
  ])('%j is kept: a place of this console', (value, target) => {
    expect(safeRedirect(value)).toBe(target);
  });

  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    'https:evil.example',
    'https://evil.example',
    'HTTPS://evil.example/workspaces',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '\u0000//evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/.\\/evil.example',
    '/\t.\t/\t/evil.example',
    '%2F%2Fevil.example',
    'evil.example',
    'workspaces',
    '?redirect=/',
    '',
    '//console.invalid@evil.example',
    '//[bad',
  ])('%j leads home', (value) => {
    expect(safeRedirect(value)).toBe('/');
  });

  test.each([[undefined], [null], [7], [['/images', '/hosts']], [{}]])('%j, which is no text, leads home', (value) => {
    expect(safeRedirect(value)).toBe('/');
  });
});
