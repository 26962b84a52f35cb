'use client';

import { UserPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useFirstRecords, withoutDoubles } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { CollectionName, PermissionRecord } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Popover } from '@/components/ui/popover';
import { Skeleton } from '@/components/ui/parts';
import { PermissionsTable } from './permissions-table';
import {
  changesOf,
  rowsOf,
  rowsWith,
  withEdit,
  type PermissionEdits,
  type PermissionFlag,
  type PermissionRow,
} from './permission-draft';
import { findGranted, useFixedPeople } from './permission-people';
import { allOf, personChoices } from './record-choices';
import { RecordPickerList } from './record-picker';
import { SaveBar } from './save-bar';
import { ShowMore } from './show-more';
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
}

/** Users down, flags across; changes wait in a draft until they are saved together. */
export function PermissionsEditor(props: PermissionsEditorProps) {
  const { collection, field, resourceId, creatorId, flags, implied } = props;
  const t = useTranslations('common.permissions');
  const filter = `${field} = '${resourceId}'`;
  const records = useFirstRecords(collection, { filter, sort: 'created', expand: 'user' }, { step: 100 });
  const fixed = useFixedPeople(creatorId);
  const [found, setFound] = useState<PermissionRecord[]>([]);
  const [edits, setEdits] = useState<PermissionEdits>({});
  const stored = rowsOf(withoutDoubles([...records.items, ...found]), flags);
  const rows = rowsWith(stored, edits);
  const changes = changesOf(stored, edits);
  const count = changes.created.length + changes.updated.length + changes.removed.length;
  const { save, isSaving, messages } = useSavePermissions({ collection, field, resourceId });
  useUnsavedGuard(count > 0);

  const held = rows.filter((row) => !row.isRemoved).map((row) => row.userId);

  function change(userId: string, patch: Partial<PermissionRow>) {
    const row = rows.find((each) => each.userId === userId);
    if (row) setEdits(withEdit(edits, { ...row, ...patch }));
  }
  async function add(userId: string) {
    if (held.includes(userId)) return;
    const before = rows.find((row) => row.userId === userId);
    if (before) return setEdits(withEdit(edits, { ...before, isRemoved: false }));
    const { user, record } = await findGranted({ collection, filter, userId });
    // It lies on a page that is not in sight yet.
    if (record) return setFound((known) => [...known, record]);
    const blank = Object.fromEntries(flags.map(({ key }) => [key, key === implied]));
    setEdits((known) => withEdit(known, { userId, user, recordId: undefined, flags: blank, isRemoved: false }));
  }

  if (records.isPending) return <Skeleton className="m-6 h-24" />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-2 px-6 py-3 max-lg:px-4">
        <p className="text-table text-text-2 min-w-0">{t('text')}</p>
        <AddPerson creatorId={creatorId} held={held} onAdd={(id) => void add(id)} />
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
    </div>
  );
}

interface AddPersonProps {
  creatorId: string;
  /** Whose permissions are in sight already. */
  held: string[];
  onAdd: (id: string) => void;
}

function AddPerson({ creatorId, held, onAdd }: AddPersonProps) {
  const t = useTranslations('common.permissions');
  const viewer = useViewer();
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
      <RecordPickerList
        // Who is an admin is known to admins only.
        choices={personChoices(allOf(`id != '${creatorId}'`, viewer.isAdmin ? 'isAdmin = false' : ''))}
        except={held}
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
