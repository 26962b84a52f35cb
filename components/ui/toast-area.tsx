'use client';

import dynamic from 'next/dynamic';
import { useSyncExternalStore } from 'react';
import { isAnyToastAsked, onToastAsked } from './toast';

const ToastList = dynamic(() => import('./toast-list').then((module) => module.ToastList), { ssr: false });

/** Where toasts are shown; what draws them comes along with the first. */
export function ToastArea({ label }: { label: string }) {
  const isNeeded = useSyncExternalStore(onToastAsked, isAnyToastAsked, () => false);
  return isNeeded && <ToastList label={label} />;
}
