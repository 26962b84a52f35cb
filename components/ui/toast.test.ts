import { expect, it } from 'vitest';
import { isAnyToastAsked, onToastAsked, showToast, takeToasts, type Toast } from './toast';

const toast = (title: string): Toast => ({ tone: 'ok', title });

it('keeps toasts until there is something to show them, and asks for it once told', () => {
  const shown: string[] = [];
  let asked = 0;
  onToastAsked(() => (asked += 1));
  expect(isAnyToastAsked()).toBe(false);
  showToast(toast('first'));
  showToast(toast('second'));
  expect([isAnyToastAsked(), asked]).toEqual([true, 2]);
  const stop = takeToasts(({ title }) => shown.push(title));
  showToast(toast('third'));
  expect(shown).toEqual(['first', 'second', 'third']);
  stop();
  showToast(toast('fourth'));
  takeToasts(({ title }) => shown.push(title));
  expect(shown).toEqual(['first', 'second', 'third', 'fourth']);
});
