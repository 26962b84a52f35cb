import { expect, it } from 'vitest';
import { parsePreferences } from './preferences';

const unset = parsePreferences(null);

it('reads what was stored, and lets bad values fall back one by one', () => {
  const stored = { sidebarCollapsed: true, isFirstUseOver: 'yes', notificationsReadMs: 7, foreign: 1 };
  expect(parsePreferences(JSON.stringify(stored))).toEqual({
    ...unset,
    sidebarCollapsed: true,
    notificationsReadMs: 7,
  });
});

it.each([['{'], ['null'], ['3'], ['"x"'], ['[]'], ['{"notificationsReadMs":null}']])('falls back for %s', (text) => {
  expect(parsePreferences(text)).toEqual(unset);
});
