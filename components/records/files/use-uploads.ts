'use client';

import { useTranslations } from 'next-intl';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLeaving } from '@/components/data/leaving';
import { UploadError, uploadFile } from './upload-file';

export interface UploadItem {
  key: number;
  folder: string;
  file: File;
  sent: number;
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'exists';
  /** The server's words of what failed. */
  message: string;
  replaces: boolean;
}

/** Files on their way into a folder, one after the other. Leaving the page ends them. */
export function useUploads(api: string, onDone: (folder: string) => void) {
  const [items, setItems] = useState<UploadItem[]>([]);
  const t = useTranslations('pages.containerFiles');
  const leaving = t('leaving');
  const { hold } = useLeaving();
  const lastKey = useRef(0);
  const sending = useRef<{ key: number; abort: AbortController }>(undefined);

  const change = useCallback((key: number, changes: Partial<UploadItem>) => {
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...changes } : item)));
  }, []);

  const next = items.find(({ state }) => state === 'waiting');
  const isSending = items.some(({ state }) => state === 'sending');
  useEffect(() => {
    if (!next || sending.current) return;
    const { key, folder, file, replaces } = next;
    const abort = new AbortController();
    sending.current = { key, abort };
    change(key, { state: 'sending', sent: 0 });
    const onSent = (sent: number) => change(key, { sent });
    uploadFile({ api, folder, file, replaces, onSent, signal: abort.signal })
      .then(
        () => {
          change(key, { state: 'done', sent: file.size });
          onDone(folder);
        },
        (error: unknown) => {
          const { message, exists } = error instanceof UploadError ? error : new UploadError('', false);
          change(key, { state: exists ? 'exists' : 'failed', message });
        },
      )
      .finally(() => {
        sending.current = undefined;
        // Wakes the next one.
        setItems((all) => [...all]);
      });
  }, [api, change, next, items, onDone]);

  useEffect(() => () => sending.current?.abort.abort(), []);
  const isBusy = isSending || next !== undefined;
  useEffect(() => {
    if (!isBusy) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    const release = hold(leaving);
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      release();
    };
  }, [hold, isBusy, leaving]);

  return {
    items,
    /** Asks first about those of which a name is there already. */
    add(folder: string, files: readonly File[], names: ReadonlySet<string>) {
      const added = files.map((file): UploadItem => {
        lastKey.current += 1;
        const state = names.has(file.name) ? 'exists' : 'waiting';
        return { key: lastKey.current, folder, file, sent: 0, state, message: '', replaces: false };
      });
      setItems((all) => [...all.filter(({ state }) => state !== 'done'), ...added]);
    },
    /** Ends it where it is under way, and takes it off the list. */
    remove(key: number) {
      if (sending.current?.key === key) sending.current.abort.abort();
      setItems((all) => all.filter((item) => item.key !== key));
    },
    again(key: number, replaces: boolean) {
      change(key, { state: 'waiting', sent: 0, message: '', replaces });
    },
  };
}

export type Uploads = ReturnType<typeof useUploads>;
