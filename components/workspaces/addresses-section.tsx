'use client';

import { Plus } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { useRecordIfAny } from '@/components/data/records';
import { useIsReadOnly } from '@/components/records/form-access';
import { FieldChange } from '@/components/records/field-change';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { FormSection } from '@/components/records/form-layout';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { GridNone, GridTable } from '@/components/ui/grid-table';
import { paths } from '@/lib/paths';
import { proxyTypeOf } from '@/lib/vocabulary/host';
import { AddressRow } from './address-row';
import { useDomainChoices } from './mount-choices';
import type { WorkspaceValues } from './workspace-schema';

const NEW_ADDRESS = {
  scheme: 'https',
  subdomain: '',
  domain: '',
  port: '',
  authentication: 'internal',
  users: [],
} satisfies WorkspaceValues['externalUrls'][number];

/** Under which names the workspace is reached from outside, and who is let in there. */
export function AddressesSection({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.addresses');
  const rows = useFieldArray({ control: form.control, name: 'externalUrls' });
  const hostId = useWatch({ control: form.control, name: 'host' });
  const host = useRecordIfAny('hosts', hostId);
  const choices = useDomainChoices(hostId);
  const text = useProblemText();
  const isReadOnly = useIsReadOnly();
  const problems = listProblems({ externalUrls: form.formState.errors.externalUrls });
  const messages = [...new Set(problems.map((problem) => text(problem.message)))];
  const hasNoProxy = host !== undefined && proxyTypeOf(host.reverse_proxy) === 'none';

  return (
    <FormSection id="addresses" title={t('title')}>
      <div>
        <GridTable
          label={t('title')}
          heads={[
            t('scheme'),
            t('subdomain'),
            t('domain'),
            t('port'),
            t('authentication'),
            <span key="x" className="sr-only">
              {t('actions')}
            </span>,
          ]}
          widths={['84px', '22%', 'auto', '80px', '150px', '40px']}
          footer={
            !isReadOnly && (
              <Button
                variant="ghost"
                size="sm"
                data-path="externalUrls"
                disabled={hostId === '' || hasNoProxy}
                onClick={() =>
                  rows.append({ ...NEW_ADDRESS }, { focusName: `externalUrls.${rows.fields.length}.subdomain` })
                }
              >
                <Plus className="size-4" />
                {t('add')}
              </Button>
            )
          }
        >
          {isReadOnly && rows.fields.length === 0 && <GridNone columns={6}>{t('none')}</GridNone>}
          {rows.fields.map((row, index) => (
            <AddressRow
              key={row.id}
              form={form}
              index={index}
              choices={choices}
              onRemove={() => {
                rows.remove(index);
                form.clearErrors('externalUrls');
              }}
            />
          ))}
        </GridTable>
        <div role="status" data-invalid={messages.length > 0 ? '' : undefined} tabIndex={-1}>
          {messages.map((message) => (
            <FieldError key={message}>{message}</FieldError>
          ))}
        </div>
        {!isReadOnly && (messages.length === 0 || hasNoProxy) && (
          <p className="text-small text-text-3 mt-1.5">
            {hostId === '' ? t('hostFirst') : hasNoProxy ? t('noProxy', { host: host.name }) : t('hint')}
            {hasNoProxy && host.can?.['modify'] === true && (
              <>
                {' '}
                <Link href={paths.host(host.id)} className="text-accent-text rounded-sm underline">
                  {t('addProxy')}
                </Link>
              </>
            )}
          </p>
        )}
        <FieldChange name="externalUrls" wordsOf={() => t('changed')} />
      </div>
    </FormSection>
  );
}
