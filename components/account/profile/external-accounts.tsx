'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, RotateCcw, Unlink } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ExternalAuthModel } from 'pocketbase';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { messageOf } from '@/components/data/problems';
import { useTell } from '@/components/data/use-tell';
import { Age } from '@/components/records/age';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { Skeleton, Tag } from '@/components/ui/parts';
import { LinkProvider } from './link-provider';

/** Accounts elsewhere that log in to this one. */
export function ExternalAccounts({ userId }: { userId: string }) {
  const t = useTranslations('pages.profile.external');
  const [leaving, setLeaving] = useState<ExternalAuthModel>();
  const nameOf = useProviderNames();
  const links = useQuery({
    queryKey: ['external-auths', userId],
    queryFn: async () => (await ready()).collection('users').listExternalAuths(userId),
  });
  return (
    <section className="max-w-[660px]" aria-labelledby="external-title">
      <h2 id="external-title" className="font-semibold">
        {t('title')}
      </h2>
      <p className="text-table text-text-3 mt-0.5 mb-3">{t('text')}</p>
      {links.data && links.data.length > 0 && (
        <ul className="border-line-strong divide-line divide-y rounded-md border">
          {links.data.map((link) => (
            <li
              key={link.id}
              className="text-table flex min-h-12 flex-wrap items-center gap-x-2.5 gap-y-1 py-2 pr-2 pl-3"
            >
              <KeyRound className="text-text-3 size-4 shrink-0" aria-hidden="true" />
              <span className="font-medium">{nameOf(link.provider)}</span>
              <Tag>{link.providerId}</Tag>
              <span className="text-text-3">
                <Age at={link.created} />
              </span>
              <Button size="sm" className="ml-auto" onClick={() => setLeaving(link)}>
                <Unlink className="size-4" aria-hidden="true" />
                {t('unlink')}
                <span className="sr-only">{nameOf(link.provider)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {links.data?.length === 0 && (
        <p className="border-line-strong text-table text-text-2 rounded-md border border-dashed px-4 py-6 text-center">
          {t('empty')}
        </p>
      )}
      {links.data && <LinkProvider linked={links.data.map(({ provider }) => provider)} />}
      {links.isPending && <Loading />}
      {links.error && <Failed error={links.error} onRetry={() => void links.refetch()} />}
      {leaving && (
        <UnlinkDialog
          userId={userId}
          provider={leaving.provider}
          name={nameOf(leaving.provider)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </section>
  );
}

/** How a provider is called here; its bare name once it was taken out of the settings. */
function useProviderNames(): (provider: string) => string {
  const methods = useQuery({
    queryKey: ['auth-methods'],
    queryFn: async () => (await ready()).collection('users').listAuthMethods(),
  });
  return (provider) => methods.data?.authProviders.find(({ name }) => name === provider)?.displayName || provider;
}

function Loading() {
  const common = useTranslations('common');
  return (
    <div aria-busy="true" className="border-line-strong grid h-12 items-center rounded-md border px-3">
      <span role="status" className="sr-only">
        {common('list.loading')}
      </span>
      <Skeleton className="w-44" />
    </div>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const common = useTranslations('common');
  return (
    <Notice
      tone="bad"
      icon={<RotateCcw aria-hidden="true" />}
      actions={
        <Button size="sm" onClick={onRetry}>
          {common('actions.retry')}
        </Button>
      }
    >
      {common('list.errorTitle')} <span className="text-text-2">{messageOf(error)}</span>
    </Notice>
  );
}

interface UnlinkDialogProps {
  userId: string;
  provider: string;
  name: string;
  onClose: () => void;
}

function UnlinkDialog({ userId, provider, name, onClose }: UnlinkDialogProps) {
  const t = useTranslations('pages.profile.external');
  const common = useTranslations('common');
  const tell = useTell();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);

  async function unlink() {
    setBusy(true);
    try {
      await (await ready()).collection('users').unlinkExternalAuth(userId, provider);
      tell.done(t('unlinked', { name }));
      onClose();
    } catch (error) {
      tell.failed(t('failed', { name }), error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['external-auths', userId] });
    }
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('unlinkTitle', { name })}
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button variant="dangerSolid" isBusy={isBusy} onClick={() => void unlink()}>
            {t('unlink')}
          </Button>
        </>
      }
    >
      <p className="text-table">{t('unlinkText', { name })}</p>
    </Dialog>
  );
}
