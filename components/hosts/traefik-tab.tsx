'use client';

import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { HostRecord } from '@/components/data/types';
import { FieldChange } from '@/components/records/field-change';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { Input, Textarea } from '@/components/ui/input';
import { toTraefik, toTraefikBody, traefikFormSchema, type TraefikValues } from './proxy-schema';
import { TraefikPorts } from './traefik-ports';
import { TraefikAnswer } from './traefik-report';
import { TraefikStatus } from './traefik-status';

const NAMES = ['image', 'containerName', 'networkName', 'configFileLocation'] as const;
const CONFIG_ROWS = 14;

/** The Traefik that Berth runs on a host, how it does, and what it says of itself. */
export function TraefikTab({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.traefik');
  const mayAsk = host.can?.['modify'] === true;
  return (
    <RecordForm
      source={useRecordSource('hosts', host)}
      schema={traefikFormSchema}
      toValues={toTraefik}
      toBody={toTraefikBody}
      nameOf={(saved) => saved.name}
      canEdit={mayAsk}
      sections={(isWrong) => [
        { id: 'traefik', label: t('title'), isWrong: isWrong('traefik') },
        ...(mayAsk ? [{ id: 'traefik-report', label: t('report.title') }] : []),
      ]}
      labelOf={(path) => {
        const [, part, index, port] = path.split('.');
        if (port) return t('portOf', { field: t(`fields.${port as 'containerPort'}`), row: Number(index) + 1 });
        return part && part !== 'isAdded' ? t(`fields.${part as (typeof NAMES)[number]}`) : t('title');
      }}
    >
      {(form) => (
        <>
          <Fields host={host} form={form} isLast={!mayAsk} />
          {mayAsk && <TraefikAnswer hostId={host.id} />}
        </>
      )}
    </RecordForm>
  );
}

function Fields({ host, form, isLast }: { host: HostRecord; form: UseFormReturn<TraefikValues>; isLast: boolean }) {
  const t = useTranslations('pages.hosts.traefik');
  const { isAdded, configFileLocation } = useWatch({ control: form.control, name: 'traefik' });
  return (
    <FormSection id="traefik" title={t('title')} text={t('text')} isLast={isLast}>
      <TraefikStatus host={host} />
      <FieldChange name="traefik" wordsOf={() => t('changed')} />
      <FormSwitch form={form} name="traefik.isAdded" label={t('add')} hint={t('addHint')} />
      {isAdded && (
        <>
          <FormSwitch form={form} name="traefik.deploy" label={t('fields.deploy')} hint={t('hints.deploy')} />
          <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
            {NAMES.map((name) => (
              <FormField
                key={name}
                form={form}
                name={`traefik.${name}`}
                label={t(`fields.${name}`)}
                hint={t(`hints.${name}`)}
              >
                {(control) => (
                  <Input
                    {...control}
                    isMono
                    autoComplete="off"
                    spellCheck={false}
                    placeholder={t(`examples.${name}`)}
                    {...form.register(`traefik.${name}`)}
                  />
                )}
              </FormField>
            ))}
          </div>
          <TraefikPorts form={form} />
          <FormField form={form} name="traefik.config" label={t('fields.config')} hint={t('hints.config')}>
            {(control) => (
              <Textarea
                {...control}
                isMono
                rows={CONFIG_ROWS}
                spellCheck={false}
                wrap="off"
                {...form.register('traefik.config')}
              />
            )}
          </FormField>
          <Help folder={configFileLocation.trim() || t('examples.configFileLocation')} />
        </>
      )}
    </FormSection>
  );
}

/** What the configuration has to say for Berth's own routers to be found. */
function Help({ folder }: { folder: string }) {
  const t = useTranslations('pages.hosts.traefik.help');
  const dynamic = `${folder.replace(/\/+$/, '')}/dynamic`;
  const parts = [
    { key: 'files', lines: ['[providers.file]', `directory = "${dynamic}"`, 'watch = true'] },
    { key: 'labels', lines: ['[providers.docker]', 'exposedByDefault = false'] },
    { key: 'api', lines: ['[api]', 'insecure = true'] },
  ] as const;
  return (
    <div className="text-table grid gap-2.5">
      <h3 className="font-medium">{t('title')}</h3>
      {parts.map(({ key, lines }) => (
        <div key={key} className="grid gap-1">
          <p className="text-text-2 break-words">{t(key, { folder: dynamic })}</p>
          <pre className="border-line bg-sunken text-small rounded-md border px-3 py-2 font-mono break-all whitespace-pre-wrap">
            {lines.join('\n')}
          </pre>
        </div>
      ))}
    </div>
  );
}
