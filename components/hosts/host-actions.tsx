'use client';

import { Ellipsis, Power, Trash2, Wrench } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { HostRecord } from '@/components/data/types';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { useSwitchHosts } from './use-switch-hosts';

const MaintenanceDialog = dynamic(() =>
  import('./maintenance/maintenance-dialog').then((module) => module.MaintenanceDialog),
);

/** What may be done with a host beside its settings. */
export function HostActions({ host, onDelete }: { host: HostRecord; onDelete: () => void }) {
  const common = useTranslations('common.actions');
  const t = useTranslations('pages.hosts.maintenance');
  const switchHosts = useSwitchHosts();
  const [asked, setAsked] = useState<'begin' | 'end'>();
  const may = host.can ?? {};
  if (!may['modify'] && !may['delete']) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton variant="default" label={common('more')}>
            <Ellipsis className="size-4" />
          </IconButton>
        }
      >
        {may['modify'] && (
          <>
            <MenuItem icon={<Power />} onSelect={() => void switchHosts([host], host.enabled ? 'disable' : 'enable')}>
              {host.enabled ? common('disable') : common('enable')}
            </MenuItem>
            <MenuItem icon={<Wrench />} onSelect={() => setAsked('begin')}>
              {t(host.maintenance ? 'change' : 'begin')}
            </MenuItem>
            {host.maintenance && (
              <MenuItem icon={<Wrench />} onSelect={() => setAsked('end')}>
                {t('end')}
              </MenuItem>
            )}
          </>
        )}
        {may['delete'] && (
          <>
            <MenuLine />
            <MenuItem icon={<Trash2 />} isDanger onSelect={onDelete}>
              {common('delete')}
            </MenuItem>
          </>
        )}
      </Menu>
      {asked && <MaintenanceDialog host={host} isEnd={asked === 'end'} onClose={() => setAsked(undefined)} />}
    </>
  );
}
