'use client';

import { Layers, Package, Shield } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useRecordCount, useRefresh } from '@/components/data/records';
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
  const permissions = useRecordCount('host_permissions', `host = '${host.id}'`) ?? 0;
  const workspaces = useRecordCount('workspaces', `host = '${host.id}'`) ?? 0;
  const images = useRecordCount('images', `build_on = '${host.id}'`) ?? 0;
  const isUsed = workspaces > 0 || images > 0;

  async function remove() {
    await (await ready()).collection('hosts').delete(host.id);
    tell.done(common('told.deleted', { name: host.name }));
    router.push(paths.hosts);
    await refresh('hosts');
  }

  return (
    <div className="max-w-[660px]">
      <h2 className="font-semibold">{t('heading', { name: host.name })}</h2>
      <p className="text-table text-text-2 mt-1 mb-3">{isUsed ? t('used', { workspaces, images }) : t('text')}</p>
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
