'use client';

import { CircleHelp, UserPlus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { useViewer } from '@/components/data/session-provider';
import { Button } from '@/components/ui/button';
import { PickerList } from '@/components/ui/picker';
import { Popover } from '@/components/ui/popover';
import { GroupMark } from './group-mark';
import type { Holder } from './permission-draft';
import { personChoices, useChoiceOptions, type RecordChoices } from './record-choices';
import { allOf } from './search/filter-text';
import { RecordPickerList } from './record-picker';

interface AddHolderProps {
  creatorId: string;
  /** Whose permissions are in sight already. */
  held: string[];
  onAdd: (kind: Holder['kind'], id: string) => void;
}

/** Finds people and groups to give a permission to. */
export function AddHolder({ creatorId, held, onAdd }: AddHolderProps) {
  const t = useTranslations('common.permissions');
  return (
    <PickButton icon={<UserPlus className="size-4" />} label={t('add')}>
      {(close) => (
        <HolderList
          creatorId={creatorId}
          held={held}
          onAdd={(kind, id) => {
            onAdd(kind, id);
            close();
          }}
        />
      )}
    </PickButton>
  );
}

/** Finds a person to ask about: also one who has no permission of their own. */
export function AskWhy({ onPick }: { onPick: (userId: string) => void }) {
  const t = useTranslations('common.permissions');
  return (
    <PickButton icon={<CircleHelp className="size-4" />} label={t('ask')} look="ghost">
      {(close) => (
        <RecordPickerList
          choices={personChoices()}
          value=""
          searchLabel={t('searchPeople')}
          onPick={(id) => {
            onPick(id);
            close();
          }}
        />
      )}
    </PickButton>
  );
}

interface PickButtonProps {
  icon: ReactNode;
  label: string;
  look?: 'ghost';
  children: (close: () => void) => ReactNode;
}

function PickButton({ icon, label, look, children }: PickButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" variant={look}>
          {icon}
          {label}
        </Button>
      }
      label={label}
      align="end"
      className="w-72 overflow-hidden"
    >
      {children(() => setOpen(false))}
    </Popover>
  );
}

function useGroupChoices(): RecordChoices<'groups'> {
  const t = useTranslations('common.permissions');
  return {
    collection: 'groups',
    searchFields: ['name'],
    toOption: ({ id, name, memberCount }) => ({
      value: id,
      text: name,
      label: (
        <span className="flex min-w-0 items-center gap-2">
          <GroupMark />
          <span className="truncate">{name}</span>
        </span>
      ),
      detail: t('members', { count: memberCount }),
    }),
  };
}

/** One search over both: groups come first, as there are few of them. */
function HolderList({ creatorId, held, onAdd }: AddHolderProps) {
  const t = useTranslations('common.permissions');
  const viewer = useViewer();
  // Who is an admin is known to admins only.
  const people = useChoiceOptions(
    personChoices(allOf(`id != '${creatorId}'`, viewer.isAdmin ? 'isAdmin = false' : '')),
  );
  const groups = useChoiceOptions(useGroupChoices());
  const groupIds = new Set(groups.options.map(({ value }) => value));
  const options = [...groups.options, ...people.options].filter(({ value }) => !held.includes(value));
  return (
    <PickerList
      options={options}
      value=""
      onPick={(id) => onAdd(groupIds.has(id) ? 'group' : 'user', id)}
      searchLabel={t('search')}
      emptyText={t('nobody')}
      search={{
        text: people.search.text,
        onTextChange(text) {
          people.search.onTextChange(text);
          groups.search.onTextChange(text);
        },
        isBusy: people.search.isBusy || groups.search.isBusy,
      }}
      note={people.note ?? groups.note}
    />
  );
}
