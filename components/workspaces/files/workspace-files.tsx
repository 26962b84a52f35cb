'use client';

import { Lock, PackageOpen, Power } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { FileBrowser } from '@/components/records/files/file-browser';
import { HostNotices } from '@/components/records/host-notices';
import { RecordPage } from '@/components/records/record-page';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { offersFiles } from '@/components/records/use-workspace-actions';
import { WorkspaceIcon } from '@/components/records/workspace-icon';
import { Button } from '@/components/ui/button';
import { HeroState } from '@/components/ui/hero-state';
import { Notice } from '@/components/ui/notice';
import { paths } from '@/lib/paths';

export function WorkspaceFiles({ workspaceId }: { workspaceId: string }) {
  const query = useRecord('workspaces', workspaceId, 'image,host,created_by');
  return (
    <RecordPage query={query} nameOf={(workspace) => workspace.name}>
      {(workspace) => <FilesPage workspace={workspace} />}
    </RecordPage>
  );
}

function FilesPage({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.containerFiles');
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-3 px-6 pt-3.5 pb-1 max-lg:px-4">
        <WorkspaceIcon workspace={workspace} />
        <h1 className="text-lead font-semibold">
          <Link href={paths.workspace(workspace.id)} className="rounded-sm hover:underline">
            {workspace.name}
          </Link>
          <span className="sr-only"> {t('title')}</span>
        </h1>
        <div className="max-w-[40%] min-w-0 max-lg:max-w-full">
          <WorkspaceStatusLine workspace={workspace} host={workspace.expand?.host} />
        </div>
      </div>
      <HostNotices host={workspace.expand?.host} className="grid gap-2 px-6 pt-2 max-lg:px-4" />
      {!offersFiles(workspace) ? (
        <NoFiles workspace={workspace} />
      ) : (
        <>
          {workspace.status === 'stopped' && (
            <Notice tone="busy" icon={<Power aria-hidden="true" />} className="mx-6 my-2 max-lg:mx-4">
              {t('stopped')}
            </Notice>
          )}
          <FileBrowser
            place={{
              api: `/api/workspace/${workspace.id}/files`,
              hrefOf: (path) => paths.workspaceFiles(workspace.id, path),
              mayUpload: true,
              mayChange: false,
              what: 'workspace',
            }}
          />
        </>
      )}
    </div>
  );
}

function NoFiles({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.containerFiles');
  const isForbidden = workspace.can?.['attach'] !== true;
  const { name } = workspace;
  return (
    <HeroState
      drawing={isForbidden ? <Lock className="text-text-3 size-8" /> : <PackageOpen className="text-text-3 size-8" />}
      title={isForbidden ? t('forbidden.title') : t('never.title', { name })}
      text={isForbidden ? t('forbidden.text', { name }) : t('never.text')}
      actions={
        <Button asChild>
          <Link href={paths.workspace(workspace.id)}>{t('toWorkspace')}</Link>
        </Button>
      }
    />
  );
}
