'use client';

import { ExternalLink } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { WorkspaceRecord } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Input } from '@/components/ui/input';
import { appOrigin, type AppsPlace, readAppLabel } from '@/lib/vocabulary/app-address';
import { setPreferences } from '@/components/data/preferences';

/** Where a port opens through the console; undefined where this browser would look for it on a machine of its own. */
export function useAppAddress(workspace: WorkspaceRecord, place: AppsPlace | undefined) {
  const isHere = typeof window !== 'undefined' && /(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(window.location.hostname);
  if (!place || (/(?:^|\.)localhost(?::|$)/.test(place.domain) && !isHere)) return undefined;
  return (port: number): string => appOrigin(place, { workspace: workspace.id, port });
}

/** A link that opens a port in a tab of its own. */
export function OpenLink({ address, port }: { address: string; port: number }) {
  const t = useTranslations('pages.workspaces.listening');
  return (
    <Button asChild size="sm" variant="ghost">
      <a
        href={address}
        target="_blank"
        rel="noreferrer"
        title={address}
        onClick={() => setPreferences({ hasOpenedWorkspace: true })}
        aria-label={t('openPort', { port })}
      >
        <ExternalLink className="size-4" aria-hidden="true" />
        {t('open')}
      </a>
    </Button>
  );
}

export function CopyAddress({ address, port }: { address: string; port: number }) {
  const t = useTranslations('pages.workspaces.sharing');
  const common = useTranslations('common');
  return <CopyButton isIcon text={address} label={t('copy', { port })} copiedLabel={common('actions.copied')} />;
}

/** Opens any port by its number. */
export function OpenAnyPort({
  workspace,
  addressOf,
}: {
  workspace: WorkspaceRecord;
  addressOf: (port: number) => string;
}) {
  const t = useTranslations('pages.workspaces.sharing');
  const [text, setText] = useState('');
  const port = readAppLabel(`${text.trim()}--${workspace.id}`)?.port;
  return (
    <form
      className="border-line text-table flex min-h-10 items-center gap-2.5 border-t px-3.5 py-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (port !== undefined) window.open(addressOf(port), '_blank', 'noreferrer');
      }}
    >
      <label htmlFor="any-port" className="text-text-3">
        {t('any')}
      </label>
      <Input
        id="any-port"
        size="sm"
        isMono
        inputMode="numeric"
        className="max-w-24"
        placeholder="8888"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="ml-auto">
        <Button type="submit" size="sm" variant="ghost" disabled={port === undefined}>
          <ExternalLink className="size-4" aria-hidden="true" />
          {t('openAny')}
        </Button>
      </span>
    </form>
  );
}
