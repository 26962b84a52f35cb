'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Pause } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { findPlace } from './log-line';
import { LogMarks } from './log-marks';
import { LogRow } from './log-row';
import type { LogView } from './log-store';

interface LogListProps {
  view: LogView;
  label: string;
  isWrapped: boolean;
  hasTime: boolean;
  hasLevel?: boolean;
  /** Place (`seq`) of the current hit, or of the line that a link leads to. */
  current: number | undefined;
  /** Called with the number of a line whose number was clicked. */
  onNumber?: ((number: number) => void) | undefined;
  /** Said before the first line and after the last: what is not loaded there, and how to load it. */
  head?: ReactNode;
  foot?: ReactNode;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
  /** Goes to the newest line; follows again when left out. */
  onResume?: () => void;
  texts: { paused: (count: number) => string; resume: string };
  /** How many lines were received when following stopped. */
  pausedAt: number;
}

const ROW_HEIGHT = 20;

/** The lines in sight of a log of any length. Follows its end until scrolled up, and again from the bottom on. */
export function LogList(props: LogListProps) {
  const { view, label, isWrapped, hasTime, hasLevel, current, isFollowing, onFollow, texts, pausedAt } = props;
  const { head, foot, onResume = () => onFollow(true) } = props;
  const area = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const lastFirst = useRef<number | undefined>(undefined);
  const count = view.lines.length;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => area.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 24,
    getItemKey: (index) => view.lines[index]?.seq ?? index,
  });

  useEffect(() => {
    if (!isFollowing || count === 0) return;
    virtual.scrollToIndex(count - 1, { align: 'end' });
    // What stands before the first line makes the list longer than its rows.
    const frame = requestAnimationFrame(() => area.current?.scrollTo(0, area.current.scrollHeight));
    return () => cancelAnimationFrame(frame);
  }, [virtual, isFollowing, count, view.received, isWrapped]);
  const firstSeq = view.lines[0]?.seq;
  const place = current === undefined ? -1 : findPlace(view.lines, current);
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place, { align: 'center' });
    // Only a new hit moves the view, not lines that come in before it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [virtual, current, place >= 0]);
  useLayoutEffect(() => {
    const [before, element] = [lastFirst.current, area.current];
    lastFirst.current = firstSeq;
    if (before === undefined || firstSeq === undefined || firstSeq >= before || isFollowing || !element) return;
    // Older lines came in above: what was in sight stays there.
    const added = findPlace(view.lines, before);
    if (added > 0) element.scrollTop += added * ROW_HEIGHT;
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [firstSeq]);

  function onScroll() {
    const element = area.current;
    if (!element) return;
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - ROW_HEIGHT;
    if (isAtEnd && !isFollowing) onFollow(true);
    else if (!isAtEnd && isFollowing && element.scrollTop < lastTop.current - 2) onFollow(false);
    lastTop.current = element.scrollTop;
  }

  return (
    <div className="bg-term relative min-h-0 flex-1">
      <div
        ref={area}
        role="log"
        aria-label={label}
        aria-live="off"
        tabIndex={0}
        data-inset=""
        onScroll={onScroll}
        className="h-full overflow-auto py-1.5 [overflow-anchor:none]"
      >
        {head}
        <div className="relative min-w-full" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const line = view.lines[item.index];
            if (!line) return null;
            return (
              <div
                key={item.key}
                data-index={item.index}
                ref={isWrapped ? virtual.measureElement : undefined}
                className="absolute top-0 left-0 min-w-full data-wrapped:w-full"
                data-wrapped={isWrapped ? '' : undefined}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LogRow
                  line={line}
                  isWrapped={isWrapped}
                  hasTime={hasTime}
                  hasNumber
                  number={view.base === undefined ? undefined : line.seq + view.base}
                  hasLevel={hasLevel ?? false}
                  marker={view.marker}
                  onNumber={props.onNumber}
                  isCurrent={item.index === place}
                />
              </div>
            );
          })}
        </div>
        {foot}
      </div>
      <LogMarks lines={view.lines} hits={view.hits} />
      {!isFollowing && (
        <div className="border-line-strong bg-raised text-table shadow-popover absolute bottom-5 left-1/2 z-20 flex h-[38px] -translate-x-1/2 items-center gap-2.5 rounded-full border pr-[5px] pl-3.5 whitespace-nowrap">
          <Pause className="text-text-2 size-4" aria-hidden="true" />
          <span role="status">{texts.paused(Math.max(0, view.received - pausedAt))}</span>
          <Button variant="primary" size="sm" className="rounded-full!" onClick={onResume}>
            {texts.resume}
            <ArrowDown className="size-4" aria-hidden="true" />
          </Button>
        </div>
      )}
    </div>
  );
}

/** A dashed line across the log, with words. */
export function LogBreak({ children }: { children: ReactNode }) {
  return (
    <div className="text-small text-text-3 before:border-line-strong after:border-line-strong sticky left-0 flex items-center gap-3 px-6 py-[3px] leading-5 before:flex-1 before:border-t before:border-dashed after:flex-1 after:border-t after:border-dashed max-lg:px-4">
      <span className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">{children}</span>
    </div>
  );
}
