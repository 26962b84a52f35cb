'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Download, FileX2, FolderOpen, FolderPlus, RotateCcw, TriangleAlert, Upload } from 'lucide-react';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useCallback, useRef, useState, type DragEvent, type ReactNode } from 'react';
import { messageOf, statusOf } from '@/components/data/problems';
import { ready } from '@/components/data/client';
import { useTell } from '@/components/data/use-tell';
import { useFormats } from '@/components/records/use-formats';
import { Button } from '@/components/ui/button';
import { HeroState } from '@/components/ui/hero-state';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/parts';
import { FileCrumbs } from './file-crumbs';
import { cleanPath, shownName, sortEntries, waysTo } from './file-paths';
import { downloadOf, type FilePlace } from './file-place';
import { FileTable } from './file-table';
import { UploadList } from './upload-list';
import { NameDialog } from './name-dialog';
import { filesKey, useFileList } from './use-file-list';
import { useUploads } from './use-uploads';

/** Files of a host to look through; where one is stands in the address. */
export function FileBrowser({ place }: { place: FilePlace }) {
  const t = useTranslations('pages.containerFiles');
  const tell = useTell();
  const queries = useQueryClient();
  const path = cleanPath(useSearchParams().get('path') ?? '/');
  const list = useFileList(place.api, path);
  const refresh = useCallback(
    (folder: string) => void queries.invalidateQueries({ queryKey: filesKey(place.api, folder) }),
    [queries, place.api],
  );
  const uploads = useUploads(place.api, refresh);
  const picker = useRef<HTMLInputElement>(null);
  const isFolder = list.data?.kind === 'folder';
  const mayUpload = isFolder && place.mayUpload;
  const [isNaming, setNaming] = useState(false);

  function add(files: readonly File[], hasFolder: boolean) {
    if (hasFolder) tell.warned(t('noFolders'), t('noFoldersText'));
    const names = new Set(list.data?.entries.map(({ name }) => name));
    if (files.length > 0) uploads.add(path, files, names);
  }

  async function makeFolder(name: string) {
    const body = { act: 'makeFolder', path, name };
    await (await ready()).send(`${place.api}/change`, { method: 'POST', body, requestKey: null });
    refresh(path);
  }

  return (
    <DropArea isOn={mayUpload} onFiles={add}>
      <div className="border-line flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b px-6 py-2 max-lg:px-4">
        <FileCrumbs place={place} path={path} />
        <div className="ml-auto flex items-center gap-2">
          {isFolder && (
            <Button asChild size="sm">
              <a href={downloadOf(place, path)} download>
                <Download className="size-4" aria-hidden="true" />
                {t('downloadAll')}
              </a>
            </Button>
          )}
          {isFolder && place.mayChange && (
            <Button size="sm" onClick={() => setNaming(true)}>
              <FolderPlus className="size-4" aria-hidden="true" />
              {t('newFolder')}
            </Button>
          )}
          {mayUpload && (
            <>
              <input
                ref={picker}
                type="file"
                multiple
                hidden
                aria-label={t('pick')}
                onChange={({ target }) => {
                  add([...(target.files ?? [])], false);
                  target.value = '';
                }}
              />
              <Button size="sm" variant="primary" onClick={() => picker.current?.click()}>
                <Upload className="size-4" aria-hidden="true" />
                {t('uploadFiles')}
              </Button>
            </>
          )}
        </div>
      </div>
      <UploadList uploads={uploads} what={place.what} />
      <div aria-busy={list.isFetching}>
        <Shown place={place} path={path} list={list} onChanged={() => refresh(path)} />
      </div>
      {isNaming && (
        <NameDialog
          title={t('newFolder')}
          label={t('name')}
          begins=""
          button={t('makeFolder')}
          onName={makeFolder}
          onClose={() => setNaming(false)}
        />
      )}
    </DropArea>
  );
}

interface ShownProps {
  place: FilePlace;
  path: string;
  list: ReturnType<typeof useFileList>;
  onChanged: () => void;
}

function Shown({ place, path, list, onChanged }: ShownProps) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.containerFiles');
  const common = useTranslations('common');
  const { data, error } = list;
  if (error) return <NotShown place={place} path={path} list={list} />;
  if (!data) {
    return (
      <div className="grid gap-4 px-6 py-4 max-lg:px-4">
        <span role="status" className="sr-only">
          {common('list.loading')}
        </span>
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-4 w-full" />
        ))}
      </div>
    );
  }
  if (data.kind !== 'folder') {
    const name = shownName(waysTo(path).at(-1)?.name ?? '');
    return (
      <HeroState
        drawing={<FileX2 className="text-text-3 size-8" />}
        title={name}
        text={data.kind === 'file' ? t('aFile', { size: bytes(data.size) }) : t('noFile')}
        actions={
          data.kind === 'file' && (
            <Button asChild variant="primary">
              <a href={downloadOf(place, path)} download>
                <Download className="size-4" aria-hidden="true" />
                {t('downloadFile', { name })}
              </a>
            </Button>
          )
        }
      />
    );
  }
  return (
    <>
      {!data.isWhole && (
        <Notice tone="warn" icon={<TriangleAlert aria-hidden="true" />} className="mx-6 mt-3 max-lg:mx-4">
          {t(`notWhole.${place.what}`)}
        </Notice>
      )}
      {data.entries.length === 0 ? (
        <HeroState
          drawing={<FolderOpen className="text-text-3 size-8" />}
          title={t('empty.title')}
          text={place.mayUpload ? t('empty.text') : undefined}
        />
      ) : (
        <FileTable key={path} place={place} folder={path} entries={sortEntries(data.entries)} onChanged={onChanged} />
      )}
    </>
  );
}

function NotShown({ place, path, list }: Omit<ShownProps, 'onChanged'>) {
  const t = useTranslations('pages.containerFiles');
  const common = useTranslations('common');
  const isMissing = statusOf(list.error) === 404;
  return (
    <HeroState
      drawing={<TriangleAlert className="text-bad size-8" />}
      title={isMissing ? t('missing', { path: shownName(path) }) : t('failed')}
      text={isMissing ? t('missingText') : (messageOf(list.error) ?? common('list.errorText'))}
      actions={
        <>
          <Button onClick={() => void list.refetch()}>
            <RotateCcw className="size-4" aria-hidden="true" />
            {common('actions.retry')}
          </Button>
          {path !== '/' && (
            <Button asChild>
              <Link href={place.hrefOf('/')}>{t('toRoot')}</Link>
            </Button>
          )}
        </>
      }
    />
  );
}

interface DropAreaProps {
  isOn: boolean;
  onFiles: (files: readonly File[], hasFolder: boolean) => void;
  children: ReactNode;
}

/** Takes files that are dropped anywhere on the page. */
function DropArea({ isOn, onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    if (!isOn) return;
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file');
    const isFile = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory !== true;
    const files = items.filter(isFile).flatMap((item) => item.getAsFile() ?? []);
    onFiles(files, files.length < items.length);
  }
  return (
    <div
      className={isOver ? 'bg-accent-soft flex min-h-0 flex-1 flex-col' : 'flex min-h-0 flex-1 flex-col'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(isOn);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
    >
      {children}
    </div>
  );
}
