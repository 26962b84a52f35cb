'use client';

import clsx from 'clsx';
import { Box, Download, File, FileQuestion, Folder, Link2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { Age } from '@/components/records/age';
import { useFormats } from '@/components/records/use-formats';
import { useRowKeys } from '@/components/records/use-row-keys';
import { IconButton } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { joinPath, shownName } from './file-paths';
import type { FileEntry } from './use-file-list';

const icons = { folder: Folder, file: File, link: Link2, device: Box, other: FileQuestion };
const HEAD = 'text-small text-text-3 h-8 px-3 text-left font-medium';
const WIDE = 'max-md:hidden';

interface FileTableProps {
  workspaceId: string;
  folder: string;
  entries: readonly FileEntry[];
}

/** What lies in a folder: a row leads on, its button downloads. */
export function FileTable({ workspaceId, folder, entries }: FileTableProps) {
  const t = useTranslations('pages.containerFiles');
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
  return (
    <table ref={table} className="text-table w-full table-fixed border-collapse">
      <caption className="sr-only">{t('caption', { path: folder })}</caption>
      <thead>
        <tr className="border-line border-b">
          <th className={clsx(HEAD, 'pl-6 max-lg:pl-4')}>{t('name')}</th>
          <th className={clsx(HEAD, 'w-24 text-right')}>{t('size')}</th>
          <th className={clsx(HEAD, WIDE, 'w-36')}>{t('changed')}</th>
          <th className={clsx(HEAD, WIDE, 'w-28')}>{t('kind')}</th>
          <th className={clsx(HEAD, 'w-16')}>
            <span className="sr-only">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <FileRow key={entry.name} entry={entry} workspaceId={workspaceId} path={joinPath(folder, entry.name)} />
        ))}
      </tbody>
    </table>
  );
}

function FileRow({ entry, workspaceId, path }: { entry: FileEntry; workspaceId: string; path: string }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.containerFiles');
  const { kind, size, changed, isNameWhole } = entry;
  const name = shownName(entry.name);
  const Icon = icons[kind];
  const leadsOn = isNameWhole && (kind === 'folder' || kind === 'link');
  const hasContent = isNameWhole && kind !== 'device' && kind !== 'other';
  const download = paths.workspaceFileDownload(workspaceId, path);
  const label = kind === 'folder' ? t('downloadFolder', { name }) : t('downloadFile', { name });
  const text = <span className="truncate">{name}</span>;
  return (
    <tr data-key-row="" data-inset="" tabIndex={-1} className="border-line hover:bg-hover h-10 border-b">
      <td className="px-3 pl-6 max-lg:pl-4" title={isNameWhole ? name : t('oddName')}>
        <span className="flex min-w-0 items-center gap-2.5">
          <Icon
            className={clsx('size-4 shrink-0', kind === 'folder' ? 'text-accent-text' : 'text-text-3')}
            aria-hidden="true"
          />
          {leadsOn && (
            <Link
              href={paths.workspaceFiles(workspaceId, path)}
              prefetch={false}
              data-key-open=""
              className="min-w-0 truncate rounded-sm font-medium hover:underline"
            >
              {name}
            </Link>
          )}
          {!leadsOn && hasContent && (
            <a href={download} download data-key-open="" className="min-w-0 truncate rounded-sm hover:underline">
              {name}
            </a>
          )}
          {!leadsOn && !hasContent && text}
        </span>
      </td>
      <td className="text-text-2 px-3 text-right tabular-nums">{kind === 'file' ? bytes(size) : '–'}</td>
      <td className={clsx('text-text-2 px-3', WIDE)}>
        {changed > 0 && <Age at={new Date(changed * 1000).toISOString()} />}
      </td>
      <td className={clsx('text-text-2 px-3', WIDE)}>{t(`kinds.${kind}`)}</td>
      <td className="pr-3 text-right">
        {hasContent && (
          <IconButton asChild size="sm" label={label}>
            <a href={download} download>
              <Download className="size-4" />
            </a>
          </IconButton>
        )}
      </td>
    </tr>
  );
}
