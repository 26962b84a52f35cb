'use client';

import { TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useSyncExternalStore } from 'react';
import { useFormats } from '@/components/records/use-formats';
import { Notice } from '@/components/ui/notice';
import { Card, Facts } from '@/components/ui/parts';
import { TestMail } from './test-mail';

export interface ConsoleFacts {
  version: string;
  publicUrl: string;
  dataDir: string;
  databaseBytes: number;
  freeBytes: number;
  mail: { kind: 'smtp'; host: string; port: string; user: string; from: string } | { kind: 'outbox'; folder: string };
}

const noSubscription = () => () => undefined;

/** How the console runs, as its environment says, and whether its mails leave. */
export function GeneralTab({ facts }: { facts: ConsoleFacts }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.settings.general');
  const here = useSyncExternalStore(
    noSubscription,
    () => window.location.origin,
    () => facts.publicUrl,
  );
  const { mail } = facts;
  const mono = (text: string) => (
    <span className="font-mono" title={text}>
      {text}
    </span>
  );
  const mailItems =
    mail.kind === 'outbox'
      ? [{ name: t('mailState'), value: <span title={mail.folder}>{t('outbox', { folder: mail.folder })}</span> }]
      : [
          { name: t('mailState'), value: t('smtp', { host: mail.host, port: mail.port }) },
          { name: t('user'), value: mail.user || t('nobody') },
          { name: t('from'), value: mail.from },
        ];
  return (
    <div className="grid max-w-[660px] gap-3.5">
      {here !== facts.publicUrl && (
        <Notice tone="warn" icon={<TriangleAlert />}>
          {t('otherAddress', { here, public: facts.publicUrl })}
        </Notice>
      )}
      <Card title={t('console')} note={t('consoleNote')}>
        <Facts
          items={[
            { name: t('version'), value: facts.version },
            { name: t('publicUrl'), value: mono(facts.publicUrl) },
            { name: t('dataDir'), value: mono(facts.dataDir) },
            { name: t('database'), value: bytes(facts.databaseBytes) },
            { name: t('free'), value: bytes(facts.freeBytes) },
          ]}
        />
      </Card>
      <Card title={t('mail')}>
        <Facts items={mailItems} />
        {mail.kind === 'outbox' && <p className="text-small text-text-3 px-3.5 pb-3">{t('outboxHint')}</p>}
        <TestMail isOutbox={mail.kind === 'outbox'} />
      </Card>
    </div>
  );
}
