'use client';

import clsx from 'clsx';
import { Box, Download, File, FileQuestion, Folder, Link2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { Age } from '@/components/records/age';
import { ShowMore } from '@/components/records/show-more';
import { useFormats } from '@/components/records/use-formats';
import { useRowKeys } from '@/components/records/use-row-keys';
import { IconButton } from '@/components/ui/button';
import { downloadOf, type FilePlace } from './file-place';
import { FileMenu } from './file-menu';
import { joinPath, shownName } from './file-paths';
import type { FileEntry } from './use-file-list';

const icons = { folder: Folder, file: File, link: Link2, device: Box, other: FileQuestion };
const HEAD = 'text-small text-text-3 h-8 px-3 text-left font-medium';
const WIDE = 'max-md:hidden';
/** Rows that are shown at first, and more with each wish. */
const STEP = 500;

interface FileTableProps {
  place: FilePlace;
  folder: string;
  entries: readonly FileEntry[];
  /** After something has changed. */
  onChanged: () => void;
}

/** What lies in a folder: a row leads on, its button downloads. */
export function FileTable({ place, folder, entries, onChanged }: FileTableProps) {
  const t = useTranslations('pages.containerFiles');
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <table ref={table} className="text-table w-full table-fixed border-collapse">
        <caption className="sr-only">{t('caption', { path: folder })}</caption>
        <thead>
          <tr className="border-line border-b">
            <th className={clsx(HEAD, 'pl-6 max-lg:pl-4')}>{t('name')}</th>
            <th className={clsx(HEAD, 'w-24 text-right')}>{t('size')}</th>
            <th className={clsx(HEAD, WIDE, 'w-36')}>{t('changed')}</th>
            <th className={clsx(HEAD, WIDE, 'w-28')}>{t('kind')}</th>
            <th className={clsx(HEAD, place.mayChange ? 'w-24' : 'w-16')}>
              <span className="sr-only">{t('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, shown).map((entry) => (
            <FileRow
              key={entry.name}
              entry={entry}
              place={place}
              path={joinPath(folder, entry.name)}
              onChanged={onChanged}
            />
          ))}
        </tbody>
      </table>
      {entries.length > shown && (
        <p role="status" className="text-small text-text-3 pt-2 text-center">
          {t('shown', { shown, count: entries.length })}
        </p>
      )}
      <ShowMore onClick={entries.length > shown ? () => setShown(shown + STEP) : undefined} />
    </>
  );
}

interface FileRowProps extends Pick<FileTableProps, 'place' | 'onChanged'> {
  entry: FileEntry;
  path: string;
}

function FileRow({ entry, place, path, onChanged }: FileRowProps) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.containerFiles');
  const { kind, size, changed, isNameWhole } = entry;
  const name = shownName(entry.name);
  const Icon = icons[kind];
  const leadsOn = isNameWhole && (kind === 'folder' || kind === 'link');
  const hasContent = isNameWhole && kind !== 'device' && kind !== 'other';
  const download = downloadOf(place, path);
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
              href={place.hrefOf(path)}
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
      <td className="pr-3 text-right whitespace-nowrap">
        {hasContent && (
          <IconButton asChild size="sm" label={label}>
            <a href={download} download>
              <Download className="size-4" />
            </a>
          </IconButton>
        )}
        {place.mayChange && isNameWhole && (
          <FileMenu place={place} path={path} name={name} kind={kind} onChanged={onChanged} />
        )}
      </td>
    </tr>
  );
}
