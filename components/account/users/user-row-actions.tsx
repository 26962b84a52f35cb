'use client';

import { Ellipsis, Power, PowerOff, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { UserRecord } from '@/components/data/types';
import { displayName } from '@/components/records/person';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';

interface UserRowActionsProps {
  user: UserRecord;
  onSwitch: (isOn: boolean) => void;
  onDelete: () => void;
}

/** What an admin may do with someone else's account. */
export function UserRowActions({ user, onSwitch, onDelete }: UserRowActionsProps) {
  const t = useTranslations('common.actions');
  const isOn = user.enabled !== false;
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={t('moreOf', { name: displayName(user) })}>
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      <MenuItem icon={isOn ? <PowerOff /> : <Power />} onSelect={() => onSwitch(!isOn)}>
        {t(isOn ? 'disable' : 'enable')}
      </MenuItem>
      {user.can?.['delete'] && (
        <>
          <MenuLine />
          <MenuItem icon={<Trash2 />} isDanger onSelect={onDelete}>
            {t('delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
