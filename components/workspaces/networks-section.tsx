'use client';

import { Network, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { FieldChange } from '@/components/records/field-change';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { FormSection } from '@/components/records/form-layout';
import { IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { GridCell, GridNone, GridTable } from '@/components/ui/grid-table';
import { AddedName, AddRecord } from '@/components/records/add-record';
import { useNetworkChoices } from './mount-choices';
import type { WorkspaceValues } from './workspace-schema';

export function NetworksSection({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.networks');
  const [host, networks] = useWatch({ control: form.control, name: ['host', 'networks'] });
  const choices = useNetworkChoices(host);
  const text = useProblemText();
  const isReadOnly = useIsReadOnly();
  const problems = listProblems({ networks: form.formState.errors.networks });
  const messages = [...new Set(problems.map((problem) => text(problem.message)))];

  function set(ids: string[]) {
    form.clearErrors('networks');
    form.setValue('networks', ids, { shouldDirty: true });
  }
  function add(id: string) {
    if (networks.includes(id)) form.setError('networks', { type: 'twice', message: 'networkAlreadyAdded' });
    else set([...networks, id]);
  }

  return (
    <FormSection id="networks" title={t('title')}>
      <div>
        <GridTable
          label={t('title')}
          heads={[
            t('network'),
            <span key="x" className="sr-only">
              {t('actions')}
            </span>,
          ]}
          widths={['auto', '40px']}
          footer={
            !isReadOnly && (
              <AddRecord
                choices={choices}
                label={t('add')}
                searchLabel={t('search')}
                emptyText={t('noneToAdd')}
                path="networks"
                isDisabled={host === ''}
                onAdd={add}
              />
            )
          }
        >
          {isReadOnly && networks.length === 0 && <GridNone columns={2}>{t('none')}</GridNone>}
          {networks.map((id, index) => (
            <tr key={`${id}-${index}`}>
              <GridCell label={t('network')} className="@max-md:col-span-2">
                <span className="flex min-w-0 items-center gap-2 px-2.5">
                  <Network className="text-text-3 size-3.5 shrink-0" aria-hidden="true" />
                  <AddedName choices={choices} id={id} />
                </span>
              </GridCell>
              <GridCell className="text-center">
                {!isReadOnly && (
                  <IconButton
                    size="sm"
                    label={t('remove', { row: index + 1 })}
                    onClick={() => set(networks.filter((_, each) => each !== index))}
                  >
                    <X className="size-3.5" />
                  </IconButton>
                )}
              </GridCell>
            </tr>
          ))}
        </GridTable>
        <div role="status" data-invalid={messages.length > 0 ? '' : undefined} tabIndex={-1}>
          {messages.map((message) => (
            <FieldError key={message}>{message}</FieldError>
          ))}
        </div>
        {messages.length === 0 && !isReadOnly && (
          <p className="text-small text-text-3 mt-1.5">{host === '' ? t('hostFirst') : t('hint')}</p>
        )}
        <FieldChange name="networks" wordsOf={() => t('changed')} />
      </div>
    </FormSection>
  );
}
