'use client';

import { Layers, Package, Shield } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useAllRecords, useRefresh } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { DeleteDialog } from '@/components/records/delete-dialog';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';

/** Takes a host out of the console. */
export function HostDelete({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.deletion');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const [isOpen, setOpen] = useState(false);
  const permissions = useAllRecords('host_permissions', { filter: `host = '${host.id}'` }).data?.length ?? 0;
  const workspaces = useAllRecords('workspaces', { filter: `host = '${host.id}'`, sort: 'name' }).data ?? [];
  const images = useAllRecords('images', { filter: `build_on = '${host.id}'`, sort: 'name' }).data ?? [];
  const isUsed = workspaces.length > 0 || images.length > 0;

  async function remove() {
    await (await ready()).collection('hosts').delete(host.id);
    tell.done(common('told.deleted', { name: host.name }));
    router.push(paths.hosts);
    await refresh('hosts');
  }

  return (
    <div className="max-w-[660px]">
      <h2 className="font-semibold">{t('heading', { name: host.name })}</h2>
      <p className="text-table text-text-2 mt-1 mb-3">
        {isUsed ? t('used', { workspaces: workspaces.length, images: images.length }) : t('text')}
      </p>
      <Button variant="danger" onClick={() => setOpen(true)}>
        {t('button')}
      </Button>
      <DeleteDialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={t('title', { name: host.name })}
        text={t('text')}
        verification={host.name}
        confirmLabel={t('button')}
        gone={[{ icon: <Shield />, name: common('delete.permissions', { count: permissions }) }]}
        kept={[
          { icon: <Package />, name: t('keptContainers'), detail: t('keptDetail') },
          { icon: <Layers />, name: t('keptImages'), detail: t('keptDetail') },
        ]}
        onDelete={remove}
      />
    </div>
  );
}
