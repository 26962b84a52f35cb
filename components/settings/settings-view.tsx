'use client';

import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { PageHead } from '@/components/records/page-head';
import { useTab } from '@/components/records/use-tab';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { GeneralTab, type ConsoleFacts } from './general-tab';

const BackupsTab = dynamic(() => import('./backups-tab').then((module) => module.BackupsTab));
const CacheTab = dynamic(() => import('./cache-tab').then((module) => module.CacheTab));
const ForwardAuthTab = dynamic(() => import('./forward-auth-tab').then((module) => module.ForwardAuthTab));
const HealthTab = dynamic(() => import('./health-tab').then((module) => module.HealthTab));
const SecondFactorTab = dynamic(() => import('./second-factor-tab').then((module) => module.SecondFactorTab));
const QuotaForm = dynamic(() => import('@/components/records/quota/quota-form').then((module) => module.QuotaForm));
const ServiceServerTab = dynamic(() => import('./service-server-tab').then((module) => module.ServiceServerTab));
const SsoTab = dynamic(() => import('./sso-tab').then((module) => module.SsoTab));
const TimesTab = dynamic(() => import('./times-tab').then((module) => module.TimesTab));

const TABS = [
  'general',
  'health',
  'backups',
  'times',
  'quotas',
  'sign-in',
  'single-sign-on',
  'cache',
  'service-server',
  'forward-auth',
] as const;

interface SettingsViewProps {
  facts: ConsoleFacts;
  /** Whether a client secret is stored. */
  hasSecret: boolean;
  redirectUrl: string;
}

/** What admins set for the whole console. */
export function SettingsView({ facts, hasSecret, redirectUrl }: SettingsViewProps) {
  const t = useTranslations('pages.settings');
  const quotas = useTranslations('pages.quotas');
  const [tab, setTab] = useTab(TABS);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title={t('title')} />
      <Tabs
        className="flex min-h-0 flex-1 flex-col"
        label={t('title')}
        value={tab}
        onValueChange={setTab}
        tabs={TABS.map((value) => ({ value, label: t(`tabs.${value}`) }))}
      >
        <TabPanel value="general" className="overflow-auto px-6 py-3.5 max-lg:px-4">
          <GeneralTab facts={facts} />
        </TabPanel>
        <TabPanel value="times" className="flex min-h-0 flex-1 flex-col pt-3">
          <TimesTab />
        </TabPanel>
        <TabPanel value="health" className="overflow-auto px-6 py-3.5 max-lg:px-4">
          <HealthTab />
        </TabPanel>
        <TabPanel value="backups" className="overflow-auto px-6 py-3.5 max-lg:px-4">
          <BackupsTab />
        </TabPanel>
        <TabPanel value="sign-in" className="flex min-h-0 flex-1 flex-col pt-3">
          <SecondFactorTab />
        </TabPanel>
        <TabPanel value="single-sign-on" className="flex min-h-0 flex-1 flex-col pt-3">
          <SsoTab hasSecret={hasSecret} redirectUrl={redirectUrl} />
        </TabPanel>
        <TabPanel value="cache" className="flex min-h-0 flex-1 flex-col pt-3">
          <CacheTab />
        </TabPanel>
        <TabPanel value="service-server" className="flex min-h-0 flex-1 flex-col pt-3">
          <ServiceServerTab publicUrl={facts.publicUrl} />
        </TabPanel>
        <TabPanel value="forward-auth" className="flex min-h-0 flex-1 flex-col pt-3">
          <ForwardAuthTab />
        </TabPanel>
        <TabPanel value="quotas" className="flex min-h-0 flex-1 flex-col pt-3">
          <QuotaForm holder={{}} name={quotas('everybody')} />
        </TabPanel>
      </Tabs>
    </div>
  );
}
