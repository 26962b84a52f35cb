'use client';

import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useFirstRecords, withoutDoubles } from '@/components/data/records';
import type { CollectionName, PermissionRecord } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/parts';
import { AddHolder, AskWhy } from './permission-pickers';
import { PermissionsTable } from './permissions-table';
import {
  changesOf,
  rowsOf,
  rowsWith,
  withEdit,
  type Holder,
  type PermissionEdits,
  type PermissionFlag,
  type PermissionRow,
} from './permission-draft';
import { findGranted, useFixedPeople } from './permission-people';
import { SaveBar } from './save-bar';
import { ShowMore } from './show-more';
import { useSavePermissions } from './use-save-permissions';
import { useUnsavedGuard } from './use-unsaved-guard';

const WhyDialog = dynamic(() => import('./why-dialog').then((module) => module.WhyDialog));

interface PermissionsEditorProps {
  collection: Extract<CollectionName, `${string}_permissions`>;
  /** The field that names the resource. */
  field: string;
  resourceId: string;
  creatorId: string;
  flags: PermissionFlag[];
  /** The flag that follows from every other one. */
  implied: string;
}

/** Users and groups down, flags across; changes wait in a draft until they are saved together. */
export function PermissionsEditor(props: PermissionsEditorProps) {
  const { collection, field, resourceId, creatorId, flags, implied } = props;
  const t = useTranslations('common.permissions');
  const filter = `${field} = '${resourceId}'`;
  const records = useFirstRecords(collection, { filter, sort: 'created', expand: 'user,group' }, { step: 100 });
  const fixed = useFixedPeople(creatorId);
  const [found, setFound] = useState<PermissionRecord[]>([]);
  const [edits, setEdits] = useState<PermissionEdits>({});
  const stored = rowsOf(withoutDoubles([...records.items, ...found]), flags);
  const rows = rowsWith(stored, edits);
  const changes = changesOf(stored, edits);
  const count = changes.created.length + changes.updated.length + changes.removed.length;
  const [asked, setAsked] = useState<string>();
  const { save, isSaving, messages } = useSavePermissions({ collection, field, resourceId });
  useUnsavedGuard(count > 0);

  const held = rows.filter((row) => !row.isRemoved).map((row) => row.holder.id);

  function change(id: string, patch: Partial<PermissionRow>) {
    const row = rows.find((each) => each.holder.id === id);
    if (row) setEdits(withEdit(edits, { ...row, ...patch }));
  }
  async function add(kind: Holder['kind'], id: string) {
    if (held.includes(id)) return;
    const before = rows.find((row) => row.holder.id === id);
    if (before) return setEdits(withEdit(edits, { ...before, isRemoved: false }));
    const { holder, record } = await findGranted({ collection, filter, kind, id });
    // It lies on a page that is not in sight yet.
    if (record) return setFound((known) => [...known, record]);
    const blank = Object.fromEntries(flags.map(({ key }) => [key, key === implied]));
    setEdits((known) => withEdit(known, { holder, recordId: undefined, flags: blank, isRemoved: false }));
  }

  if (records.isPending) return <Skeleton className="m-6 h-24" />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-2 px-6 py-3 max-lg:px-4 max-sm:flex-wrap">
        <p className="text-table text-text-2 min-w-0 max-sm:basis-full">{t('text')}</p>
        <span className="ml-auto flex shrink-0 gap-2">
          <AskWhy onPick={setAsked} />
          <AddHolder creatorId={creatorId} held={held} onAdd={(kind, id) => void add(kind, id)} />
        </span>
      </div>
      <div className="min-h-0 flex-1 overflow-auto" role="region" aria-label={t('title')} tabIndex={0} data-inset="">
        <PermissionsTable
          rows={rows.filter((row) => !row.isRemoved)}
          fixed={fixed.people}
          creatorId={creatorId}
          flags={flags}
          implied={implied}
          isUnsaved={(row) => changes.created.includes(row) || changes.updated.includes(row)}
          onChange={change}
          onAsk={(user) => setAsked(user.id)}
        />
        {fixed.moreAdmins > 0 && (
          <p className="text-small text-text-3 px-6 py-2 max-lg:px-4">{t('moreAdmins', { count: fixed.moreAdmins })}</p>
        )}
        <ShowMore onClick={records.showMore} />
      </div>
      {(count > 0 || messages.length > 0) && (
        <SaveBar
          problems={[]}
          labelOf={(path) => path}
          messages={messages}
          note={t('changes', { count })}
          actions={
            <>
              <Button variant="ghost" onClick={() => setEdits({})}>
                {t('discard')}
              </Button>
              <Button
                variant="primary"
                data-key-save=""
                isBusy={isSaving}
                onClick={() => void save(changes).then((isDone) => isDone && setEdits({}))}
              >
                {t('save')}
              </Button>
            </>
          }
        />
      )}
      {asked && (
        <WhyDialog
          collection={`${field}s` as 'hosts'}
          recordId={resourceId}
          userId={asked}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}
