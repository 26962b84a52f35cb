'use client';

import { AppWindow, HardDrive, Layers, Network, Package, Shield } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRecordCount, useRefresh } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import type { DeleteBlocker } from '@/components/records/delete-dialog';
import { DeletePanel } from '@/components/records/delete-panel';
import { paths } from '@/lib/paths';

/** Takes a host out of the console. */
export function HostDelete({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.deletion');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const permissions = useRecordCount('host_permissions', `host = '${host.id}'`) ?? 0;
  const blockers = useBlockers(host);

  async function remove() {
    await (await ready()).collection('hosts').delete(host.id);
    tell.done(common('told.deleted', { name: host.name }));
    router.push(paths.hosts);
    await refresh('hosts');
  }

  return (
    <DeletePanel
      heading={t('heading', { name: host.name })}
      text={t('text')}
      usedText={t('used')}
      button={t('button')}
      blockers={blockers}
      title={t('title', { name: host.name })}
      verification={host.name}
      gone={permissions > 0 ? [{ icon: <Shield />, name: common('delete.permissions', { count: permissions }) }] : []}
      kept={[
        { icon: <Package />, name: t('keptContainers'), detail: t('keptDetail') },
        { icon: <Layers />, name: t('keptImages'), detail: t('keptDetail') },
      ]}
      onDelete={remove}
    />
  );
}

/** What still lies on the host; undefined until that is known. */
function useBlockers(host: HostRecord): DeleteBlocker[] | undefined {
  const t = useTranslations('pages.hosts.deletion');
  const counts = {
    workspaces: useRecordCount('workspaces', `host = '${host.id}'`),
    images: useRecordCount('images', `build_on = '${host.id}'`),
    volumes: useRecordCount('volumes', `host = '${host.id}'`),
    networks: useRecordCount('networks', `host = '${host.id}'`),
  };
  if (Object.values(counts).includes(undefined)) return undefined;
  const all = [
    { kind: 'workspaces', icon: <AppWindow />, href: paths.workspacesOn(host.id) },
    { kind: 'images', icon: <Layers />, href: paths.imagesOn(host.id) },
    { kind: 'volumes', icon: <HardDrive />, href: paths.volumesOn(host.id) },
    { kind: 'networks', icon: <Network />, href: paths.networksOn(host.id) },
  ] as const;
  return all.flatMap(({ kind, ...part }) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [{ ...part, name: t(kind, { count }) }] : [];
  });
}
