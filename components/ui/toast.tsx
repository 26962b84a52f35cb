'use client';

import clsx from 'clsx';
import { Toaster, toast } from 'sonner';

const bars = { ok: 'bg-ok', bad: 'bg-bad', accent: 'bg-accent' };

interface Toast {
  /** A toast that is shown already is replaced by one of the same id. */
  id?: string;
  tone: keyof typeof bars;
  title: string;
  detail?: string | undefined;
}

/** Shows a toast for five seconds; hovering holds it, a click closes it. */
export function showToast({ id: toastId, tone, title, detail }: Toast): void {
  toast.custom(
    (id) => (
      <div
        className="rounded-card border-line-strong bg-raised text-table text-text shadow-popover relative w-[340px] max-w-[calc(100vw-32px)] cursor-pointer border py-[11px] pr-4 pl-[18px] font-sans"
        onClick={() => toast.dismiss(id)}
      >
        <span
          aria-hidden="true"
          className={clsx('absolute top-3 bottom-3 left-[7px] w-[3px] rounded-[2px]', bars[tone])}
        />
        <span className="block font-medium">{title}</span>
        {detail && <span className="text-small text-text-2 line-clamp-6">{detail}</span>}
      </div>
    ),
    { duration: 5000, ...(toastId ? { id: toastId } : {}) },
  );
}

export function ToastArea({ label }: { label: string }) {
  return (
    <Toaster
      position="top-right"
      containerAriaLabel={label}
      offset={16}
      gap={8}
      visibleToasts={4}
      style={{ zIndex: 60 }}
    />
  );
}
