'use client';

import { useTranslations } from 'next-intl';
import { RecordPage } from '@/components/records/record-page';
import { SsoForm } from './sso-form';
import { useSetting } from './use-setting';

interface SsoTabProps {
  hasSecret: boolean;
  redirectUrl: string;
}

/** Single sign-on, once its setting is here. */
export function SsoTab(props: SsoTabProps) {
  const t = useTranslations('pages.settings');
  const { query, save } = useSetting('sso');
  // A setting that nobody has saved yet is no failure: the form begins with what is usual.
  const loaded = query.data === undefined ? undefined : { value: query.data?.value };
  return (
    <RecordPage query={{ ...query, data: loaded }} nameOf={() => t('title')}>
      {({ value }) => <SsoForm stored={value} save={save} {...props} />}
    </RecordPage>
  );
}
