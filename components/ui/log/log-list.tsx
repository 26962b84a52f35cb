'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Pause } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { LogRow } from './log-row';
import type { LogView } from './log-store';

interface LogListProps {
  view: LogView;
  label: string;
  isWrapped: boolean;
  hasTime: boolean;
  hasLevel?: boolean;
  /** Place of the current hit. */
  current: number | undefined;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
  texts: { paused: (count: number) => string; resume: string; dropped: (count: number) => ReactNode };
  /** How many lines were received when following stopped. */
  pausedAt: number;
}

const ROW_HEIGHT = 20;

/** The lines in sight of a log of any length. Follows its end until scrolled up, and again from the bottom on. */
export function LogList(props: LogListProps) {
  const { view, label, isWrapped, hasTime, hasLevel, current, isFollowing, onFollow, texts, pausedAt } = props;
  const area = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const count = view.lines.length;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => area.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 24,
    getItemKey: (index) => view.lines[index]?.number ?? index,
  });

  useEffect(() => {
    if (isFollowing && count > 0) virtual.scrollToIndex(count - 1, { align: 'end' });
  }, [virtual, isFollowing, count, view.received, isWrapped]);
  useEffect(() => {
    if (current !== undefined) virtual.scrollToIndex(current, { align: 'center' });
  }, [virtual, current]);

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
        className="h-full overflow-auto py-1.5"
      >
        {view.dropped > 0 && (
          <div className="text-small text-text-3 before:border-line-strong after:border-line-strong flex items-center gap-3 px-6 py-[3px] leading-5 before:flex-1 before:border-t before:border-dashed after:flex-1 after:border-t after:border-dashed">
            <span>{texts.dropped(view.dropped)}</span>
          </div>
        )}
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
                  hasLevel={hasLevel ?? false}
                  marker={view.marker}
                  isCurrent={item.index === current}
                />
              </div>
            );
          })}
        </div>
      </div>
      {!isFollowing && (
        <div className="border-line-strong bg-raised text-table shadow-popover absolute bottom-5 left-1/2 z-20 flex h-[38px] -translate-x-1/2 items-center gap-2.5 rounded-full border pr-[5px] pl-3.5 whitespace-nowrap">
          <Pause className="text-text-2 size-4" aria-hidden="true" />
          <span role="status">{texts.paused(Math.max(0, view.received - pausedAt))}</span>
          <Button variant="primary" size="sm" className="rounded-full!" onClick={() => onFollow(true)}>
            {texts.resume}
            <ArrowDown className="size-4" aria-hidden="true" />
          </Button>
        </div>
      )}
    </div>
  );
}
