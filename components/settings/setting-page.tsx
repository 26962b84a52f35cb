'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SettingRecord } from '@/components/data/types';
import { RecordPage } from '@/components/records/record-page';
import { useSetting } from './use-setting';

interface SettingPageProps {
  settingKey: string;
  children: (setting: SettingRecord | null) => ReactNode;
}

/** A part of the settings once it is here. One that nobody has saved yet is no failure: its form begins with what is usual. */
export function SettingPage({ settingKey, children }: SettingPageProps) {
  const t = useTranslations('pages.settings');
  const query = useSetting(settingKey);
  const loaded = query.data === undefined ? undefined : { setting: query.data };
  return (
    <RecordPage query={{ ...query, data: loaded }} nameOf={() => t('title')}>
      {({ setting }) => children(setting)}
    </RecordPage>
  );
}
