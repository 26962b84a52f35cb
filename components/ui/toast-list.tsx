'use client';

import clsx from 'clsx';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { Toaster, toast } from 'sonner';
import { takeToasts, type Toast } from './toast';

const bars = { ok: 'bg-ok', warn: 'bg-warn', bad: 'bg-bad', accent: 'bg-accent' };
const SHOWN_MS = 5000;

function show({ id: toastId, ...shown }: Toast): void {
  const options = { duration: Infinity, ...(toastId ? { id: toastId } : {}) };
  toast.custom((id) => <ToastCard {...shown} onClose={() => toast.dismiss(id)} />, options);
}

/** Toasts of five seconds. Hovering holds one, as does leaving the window; a click closes it. */
export function ToastList({ label }: { label: string }) {
  useEffect(() => takeToasts(show), []);
  return (
    <Toaster
      position="top-right"
      containerAriaLabel={label}
      offset={{ right: 16, top: 'var(--toast-top)' }}
      mobileOffset={{ left: 16, right: 16, top: 'var(--toast-top)' }}
      gap={8}
      visibleToasts={4}
      style={{ zIndex: 60 }}
    />
  );
}

function ToastCard({ tone, title, detail, onClose }: Omit<Toast, 'id'> & { onClose: () => void }) {
  const [isHovered, setHovered] = useState(false);
  const isLookedAt = useSyncExternalStore(
    watchFocus,
    () => document.hasFocus(),
    () => true,
  );
  useCountdown(SHOWN_MS, { isHeld: isHovered || !isLookedAt, onEnd: onClose });
  return (
    <div
      className="rounded-card border-line-strong bg-raised text-table text-text shadow-popover relative w-[340px] max-w-[calc(100vw-32px)] cursor-pointer border py-[11px] pr-4 pl-[18px] font-sans"
      onClick={onClose}
      // One that appears under a pointer at rest is not hovered yet.
      onMouseMove={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
    >
      <span
        aria-hidden="true"
        className={clsx('absolute top-3 bottom-3 left-[7px] w-[3px] rounded-[2px]', bars[tone])}
      />
      <span className="block font-medium">{title}</span>
      {detail && <span className="text-small text-text-2 line-clamp-6">{detail}</span>}
    </div>
  );
}

function watchFocus(onChange: () => void): () => void {
  window.addEventListener('focus', onChange);
  window.addEventListener('blur', onChange);
  return () => {
    window.removeEventListener('focus', onChange);
    window.removeEventListener('blur', onChange);
  };
}

/** Calls `onEnd` once `ms` have gone by in which it was not held. */
function useCountdown(ms: number, { isHeld, onEnd }: { isHeld: boolean; onEnd: () => void }): void {
  const leftMs = useRef(ms);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isHeld) return;
    const from = performance.now();
    const timer = setTimeout(end, leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current -= performance.now() - from;
    };
  }, [isHeld]);
}
