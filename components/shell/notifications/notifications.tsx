'use client';

import { Bell } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { usePreferences } from '@/components/data/preferences';
import { IconButton } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/parts';
import { Popover } from '@/components/ui/popover';
import { FIRST_JOBS, useJobs } from './use-jobs';

const Panel = dynamic(() => import('./notification-panel').then((module) => module.NotificationPanel), {
  loading: () => <Skeleton className="mx-3 my-4 w-2/3" />,
});

/** The bell: every build and deployment, with what went wrong and what is still under way. */
export function Notifications() {
  const t = useTranslations('layout.jobs');
  const [isOpen, setOpen] = useState(false);
  const readMs = usePreferences()?.notificationsReadMs;
  const { jobs } = useJobs(FIRST_JOBS);
  const unread = readMs === undefined ? 0 : jobs.filter((job) => job.atMs > readMs).length;
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      align="end"
      label={t('title')}
      className="w-[min(560px,calc(100vw-16px))] overflow-hidden"
      trigger={
        <IconButton label={t('unread', { count: unread })} className="relative">
          <Bell className="size-4" />
          {unread > 0 && (
            <span
              aria-hidden="true"
              className="bg-accent ring-surface absolute top-1.5 right-1.5 size-2 rounded-full ring-2 max-lg:top-2 max-lg:right-2"
            />
          )}
        </IconButton>
      }
    >
      <Panel
        newestMs={Math.max(0, ...jobs.map((job) => job.atMs))}
        readMs={readMs ?? 0}
        onLeave={() => setOpen(false)}
      />
    </Popover>
  );
}
