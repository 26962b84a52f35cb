'use client';

import { useLayoutEffect, useState, type RefObject } from 'react';
import { shareRoom } from './column-room';
import type { ListColumn } from './list-types';

const NO_ENOUGH = 120;

/**
 * Widths of the columns by what they hold, those without one being left out. They are found anew for other rows and for
 * another room, and while the same rows change only when a text no longer fits, so that nothing moves otherwise.
 */
export function useColumnRoom<Row extends { id: string }>(
  table: RefObject<HTMLTableElement | null>,
  { columns, rows }: { columns: ListColumn<Row>[]; rows: Row[] },
): Record<string, number> | undefined {
  const [found, setFound] = useState<{ room: number; ids: string; widths: Record<string, number> }>();
  const ids = rows.map((row) => row.id).join();

  useLayoutEffect(() => {
    const element = table.current;
    const frame = element?.parentElement;
    if (!element || !frame) return;
    const fit = () => {
      const { natural, taken } = measure(element);
      const room = frame.clientWidth - taken;
      const needs = columns.map(({ id, enough = NO_ENOUGH, rank = 0 }) => ({
        id,
        enough,
        natural: rows.length > 0 ? (natural[id] ?? enough) : enough,
        rank,
      }));
      setFound((old) => {
        const stillFits = needs.every(
          (need) => (old?.widths[need.id] ?? Infinity) >= Math.min(need.natural, need.enough),
        );
        if (old?.room === room && old.ids === ids && stillFits) return old;
        return { room, ids, widths: shareRoom(needs, room) };
      });
    };
    const observer = new ResizeObserver(fit);
    observer.observe(frame);
    fit();
    return () => observer.disconnect();
    // The definitions are made anew at each render; which columns there are is in their ids.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [table, ids, rows, columns.map(({ id }) => id).join()]);

  return found?.widths;
}

/** How wide each column would be with all the room in the world, and what columns of no record take. */
function measure(table: HTMLTableElement): { natural: Record<string, number>; taken: number } {
  table.dataset.measuring = '';
  const natural: Record<string, number> = {};
  let taken = 0;
  for (const head of table.querySelectorAll<HTMLElement>('thead th')) {
    const width = Math.ceil(head.getBoundingClientRect().width);
    if (head.dataset.column) natural[head.dataset.column] = width;
    else taken += width;
  }
  delete table.dataset.measuring;
  return { natural, taken };
}
