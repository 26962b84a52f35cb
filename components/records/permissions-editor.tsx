'use client';

import { UserPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useAllRecords } from '@/components/data/records';
import type { CollectionName } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { PickerList } from '@/components/ui/picker';
import { Popover } from '@/components/ui/popover';
import { Skeleton } from '@/components/ui/parts';
import { PermissionsTable } from './permissions-table';
import { changesOf, rowsOf, type PermissionFlag, type PermissionRow } from './permission-draft';
import { displayName } from './person';
import { SaveBar } from './save-bar';
import { useSavePermissions } from './use-save-permissions';
import { useUnsavedGuard } from './use-unsaved-guard';

interface PermissionsEditorProps {
  collection: Extract<CollectionName, `${string}_permissions`>;
  /** The field that names the resource. */
  field: string;
  resourceId: string;
  creatorId: string;
  flags: PermissionFlag[];
  /** The flag that follows from every other one. */
  implied: string;
  canEdit: boolean;
}

/** Users down, flags across; changes wait in a draft until they are saved together. */
export function PermissionsEditor(props: PermissionsEditorProps) {
  const { collection, field, resourceId, creatorId, flags, implied, canEdit } = props;
  const t = useTranslations('common.permissions');
  const filter = `${field} = '${resourceId}'`;
  const records = useAllRecords(collection, { filter, sort: 'created' });
  const users = useAllRecords('users', { sort: 'name' });
  const stored = rowsOf(records.data ?? [], flags);
  const [draft, setDraft] = useState<PermissionRow[]>();
  const rows = draft ?? stored;
  const changes = changesOf(stored, rows);
  const count = changes.created.length + changes.updated.length + changes.removed.length;
  const { save, isSaving, messages } = useSavePermissions({ collection, field, resourceId });
  useUnsavedGuard(count > 0);

  const people = users.data ?? [];
  const held = new Set(rows.filter((row) => !row.isRemoved).map((row) => row.userId));
  const addable = people.filter((user) => !user.isAdmin && user.id !== creatorId && !held.has(user.id));

  function change(userId: string, patch: Partial<PermissionRow>) {
    setDraft(
      rows
        .map((row) => (row.userId === userId ? { ...row, ...patch } : row))
        .filter((row) => row.recordId ?? !row.isRemoved),
    );
  }
  function add(userId: string) {
    const before = stored.find((row) => row.userId === userId);
    const blank = Object.fromEntries(flags.map(({ key }) => [key, key === implied]));
    setDraft([
      ...rows.filter((row) => row.userId !== userId),
      before ?? { userId, recordId: undefined, flags: blank, isRemoved: false },
    ]);
  }

  if (records.isPending || users.isPending) return <Skeleton className="m-6 h-24" />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-2 px-6 py-3 max-lg:px-4">
        <p className="text-table text-text-2 min-w-0">{t('text')}</p>
        {canEdit && <AddPerson people={addable} onAdd={add} />}
      </div>
      <div className="min-h-0 flex-1 overflow-auto" role="region" aria-label={t('title')} tabIndex={0} data-inset="">
        <PermissionsTable
          rows={rows.filter((row) => !row.isRemoved)}
          people={people}
          creatorId={creatorId}
          flags={flags}
          implied={implied}
          canEdit={canEdit}
          isUnsaved={(row) => changes.created.includes(row) || changes.updated.includes(row)}
          onChange={change}
        />
      </div>
      {(count > 0 || messages.length > 0) && (
        <SaveBar
          problems={[]}
          labelOf={(path) => path}
          messages={messages}
          note={t('changes', { count })}
          actions={
            <>
              <Button variant="ghost" onClick={() => setDraft(undefined)}>
                {t('discard')}
              </Button>
              <Button
                variant="primary"
                data-key-save=""
                isBusy={isSaving}
                onClick={() => void save(changes).then((isDone) => isDone && setDraft(undefined))}
              >
                {t('save')}
              </Button>
            </>
          }
        />
      )}
    </div>
  );
}

function AddPerson({
  people,
  onAdd,
}: {
  people: { id: string; name: string; username: string }[];
  onAdd: (id: string) => void;
}) {
  const t = useTranslations('common.permissions');
  const [isOpen, setOpen] = useState(false);
  const trigger = (
    <Button size="sm" className="ml-auto">
      <UserPlus className="size-4" />
      {t('add')}
    </Button>
  );
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={trigger}
      label={t('add')}
      align="end"
      className="w-72 overflow-hidden"
    >
      <PickerList
        options={people.map((user) => ({ value: user.id, text: displayName(user), detail: user.username }))}
        value=""
        searchLabel={t('search')}
        emptyText={t('nobody')}
        onPick={(id) => {
          onAdd(id);
          setOpen(false);
        }}
      />
    </Popover>
  );
}
