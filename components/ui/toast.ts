export interface Toast {
  /** A toast that is shown already is replaced by one of the same id. */
  id?: string;
  tone: 'ok' | 'warn' | 'bad' | 'accent';
  title: string;
  detail?: string | undefined;
}

/** Told before there was anything to show them. */
let waiting: Toast[] = [];
let taker: ((toast: Toast) => void) | undefined;
let isAnyAsked = false;
const listeners = new Set<() => void>();

/** Shows a toast for a while. */
export function showToast(toast: Toast): void {
  if (taker) return taker(toast);
  waiting.push(toast);
  isAnyAsked = true;
  for (const listener of listeners) listener();
}

/** Whether there has been a toast since the tab was opened. */
export function isAnyToastAsked(): boolean {
  return isAnyAsked;
}

export function onToastAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Names who shows the toasts, beginning with those that wait. */
export function takeToasts(show: (toast: Toast) => void): () => void {
  taker = show;
  for (const toast of waiting) show(toast);
  waiting = [];
  return () => {
    taker = undefined;
  };
}
