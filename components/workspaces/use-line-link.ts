'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTell } from '@/components/data/use-tell';
import { copyText } from '@/components/ui/copy-button';
import { writeLogAddress, type LogAddress } from './log-address';
import type { WorkspaceLog } from './use-workspace-log';

interface LineLinkOptions {
  address: LogAddress;
  change: (part: Partial<LogAddress>) => void;
  log: WorkspaceLog;
  /** Brings the line at a place into sight. */
  show: (seq: number) => void;
}

/** Goes to the line that the address names, once numbers are known, and makes links to lines. */
export function useLineLink({ address, change, log, show }: LineLinkOptions) {
  const t = useTranslations('pages.workspaces.logs');
  const tell = useTell();
  const { line, container } = address;
  const { view, containerId } = log;
  const { base } = view;
  const [begun] = useState({ line, container });
  const isReady = base !== undefined && containerId !== '';
  const isBegun = begun.line !== undefined && line === begun.line && container === begun.container;
  const problem = isReady && isBegun ? problemOf(begun.line ?? 0) : '';

  function problemOf(number: number): string {
    if (!containerId.startsWith(begun.container)) return t('lineGone', { number });
    return number > view.received + (base ?? 0) ? t('lineMissing', { number }) : '';
  }
  const goThere = useEffectEvent(() => {
    if (begun.line !== undefined && base !== undefined && !problem) show(begun.line - base);
  });
  useEffect(() => {
    if (isReady) goThere();
  }, [isReady]);

  async function copy(number: number): Promise<void> {
    const named = { line: number, container: containerId };
    change(named);
    const { origin, pathname } = window.location;
    await copyText(`${origin}${pathname}?${writeLogAddress({ ...address, ...named })}`);
    tell.done(t('linkCopied', { number }));
  }
  return {
    /** Place of the line that the address names. */
    seq: line === undefined || base === undefined || problem ? undefined : line - base,
    problem,
    copy: (number: number) =>
      void copy(number).catch((error: unknown) => tell.failed(t('linkToLine', { number }), error)),
  };
}
