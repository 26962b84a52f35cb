'use client';

import { useEffect, type RefObject } from 'react';
import { isPageKey } from '@/components/ui/keys';

const ROW = 'tr[data-key-row]';

/** The keys of a list: j, k and arrows move between its rows, Enter opens one, x and space select it, b goes to the batch bar. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const area = list.current;
      if (!area || !isPageKey(event)) return;
      if (act(area, event.key)) event.preventDefault();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [list]);
}

function act(area: HTMLElement, key: string): boolean {
  const active = document.activeElement;
  const row = active?.closest<HTMLElement>(ROW) ?? null;
  const isOnRow = row !== null && row === active;
  const moves = isOnRow || active === document.body || active?.matches('[data-key-rows]');
  if (key === 'j' || (key === 'ArrowDown' && moves)) return step(area, row, 1);
  if (key === 'k' || (key === 'ArrowUp' && moves)) return step(area, row, -1);
  if (key === 'b') return focusOn(area.querySelector<HTMLElement>('[data-key-batch]'));
  if (key === 'x' || (key === ' ' && isOnRow)) return click(row?.querySelector<HTMLElement>('[data-key-select]'));
  if (key === 'Enter' && isOnRow) return click(row.querySelector<HTMLElement>('[data-key-open]'));
  return false;
}

function step(area: HTMLElement, row: HTMLElement | null, by: number): boolean {
  const rows = [...area.querySelectorAll<HTMLElement>(ROW)];
  const at = row ? rows.indexOf(row) + by : 0;
  return focusOn(rows[Math.min(Math.max(at, 0), rows.length - 1)]);
}

function focusOn(element: HTMLElement | null | undefined): boolean {
  element?.focus();
  return Boolean(element);
}

function click(element: HTMLElement | null | undefined): boolean {
  element?.click();
  return Boolean(element);
}
