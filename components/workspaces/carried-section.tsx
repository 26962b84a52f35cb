'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRecordIfAny } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { FormSection } from '@/components/records/form-layout';
import { Person } from '@/components/records/person';
import { IconButton } from '@/components/ui/button';
import { GridCell, GridTable } from '@/components/ui/grid-table';
import type { WorkspaceSource } from './workspace-source';

type Url = NonNullable<WorkspaceRecord['externalUrls']>[number];

/** What goes over from the source beside the fields of the form. */
export interface Carried {
  urls: Url[];
  logins: WorkspaceSource['logins'];
}

interface CarriedSectionProps {
  carried: Carried;
  onChange: (carried: Carried) => void;
}

/** The addresses that are taken over, and who may log in at them; each can be left out. */
export function CarriedSection({ carried, onChange }: CarriedSectionProps) {
  const t = useTranslations('pages.workspaces.carried');
  const { urls, logins } = carried;
  const heads = (label: string) => [
    label,
    <span key="x" className="sr-only">
      {t('actions')}
    </span>,
  ];
  return (
    <FormSection id="carried" title={t('title')} text={t('text')} isLast>
      {urls.length > 0 && (
        <GridTable label={t('addresses')} heads={heads(t('addresses'))} widths={['auto', '40px']}>
          {urls.map((url, index) => (
            <tr key={index}>
              <GridCell label={t('addresses')} className="@max-md:col-span-2">
                <Address url={url} />
              </GridCell>
              <GridCell className="text-center">
                <IconButton
                  size="sm"
                  label={t('removeAddress', { row: index + 1 })}
                  onClick={() => onChange({ ...carried, urls: urls.filter((each) => each !== url) })}
                >
                  <X className="size-3.5" />
                </IconButton>
              </GridCell>
            </tr>
          ))}
        </GridTable>
      )}
      {logins.length > 0 && (
        <GridTable label={t('logins')} heads={heads(t('logins'))} widths={['auto', '40px']}>
          {logins.map((login, index) => (
            <tr key={login.id}>
              <GridCell label={t('logins')} className="@max-md:col-span-2">
                <span className="flex min-w-0 items-center gap-2 px-2.5">
                  <Person user={login.expand?.user} />
                  <span className="mono text-text-3 truncate">{login.url}</span>
                </span>
              </GridCell>
              <GridCell className="text-center">
                <IconButton
                  size="sm"
                  label={t('removeLogin', { row: index + 1 })}
                  onClick={() => onChange({ ...carried, logins: logins.filter((each) => each !== login) })}
                >
                  <X className="size-3.5" />
                </IconButton>
              </GridCell>
            </tr>
          ))}
        </GridTable>
      )}
    </FormSection>
  );
}

function Address({ url }: { url: Url }) {
  const t = useTranslations('pages.workspaces.carried');
  const domain = useRecordIfAny('domains', url.domain);
  const name = [url.subdomain, domain?.url ?? '…'].filter(Boolean).join('.');
  return (
    <span className="flex min-w-0 items-center gap-2 px-2.5">
      <span className="mono truncate">{`${url.scheme}://${name}`}</span>
      <span className="text-text-3 truncate">{t('toPort', { port: url.port })}</span>
    </span>
  );
}
