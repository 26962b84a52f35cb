'use client';

import { Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Controller, get, useFieldArray, type UseFormReturn } from 'react-hook-form';
import { FieldChange } from '@/components/records/field-change';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { FormSection } from '@/components/records/form-layout';
import { Button, IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { GridCell, GridInput, GridTable } from '@/components/ui/grid-table';
import { Select } from '@/components/ui/select';
import type { WorkspaceValues } from './workspace-schema';

export function PortsSection({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.ports');
  const rows = useFieldArray({ control: form.control, name: 'portMappings' });
  const text = useProblemText();
  const problems = listProblems(form.formState.errors.portMappings, 'portMappings').filter(
    ({ path }) => path !== 'portMappings.root',
  );
  const isWrong = (path: string) => Boolean(get(form.formState.errors, path));
  const messages = [...new Set(problems.map((problem) => text(problem.message)))];
  const root = form.formState.errors.portMappings?.root?.message ?? form.formState.errors.portMappings?.message;
  return (
    <FormSection id="ports" title={t('title')}>
      <div>
        <GridTable
          label={t('title')}
          heads={[
            t('containerPort'),
            t('protocol'),
            t('hostPort'),
            t('hostIp'),
            <span key="x" className="sr-only">
              {t('actions')}
            </span>,
          ]}
          widths={['26%', '19%', '26%', 'auto', '38px']}
          footer={
            <Button
              variant="ghost"
              size="sm"
              data-path="portMappings"
              onClick={() =>
                rows.append({ containerPort: '', protocol: 'tcp', hostPort: '', hostIp: '' }, { shouldFocus: true })
              }
            >
              <Plus className="size-4" />
              {t('add')}
            </Button>
          }
        >
          {rows.fields.map((row, index) => {
            const at = `portMappings.${index}` as const;
            return (
              <tr key={row.id}>
                <GridCell isWrong={isWrong(`${at}.containerPort`)}>
                  <GridInput
                    aria-label={t('containerPortOf', { row: index + 1 })}
                    aria-invalid={isWrong(`${at}.containerPort`)}
                    placeholder="8888"
                    {...form.register(`${at}.containerPort`)}
                  />
                </GridCell>
                <GridCell>
                  <Controller
                    control={form.control}
                    name={`${at}.protocol`}
                    render={({ field }) => (
                      <Select
                        isBare
                        aria-label={t('protocolOf', { row: index + 1 })}
                        value={field.value}
                        onValueChange={field.onChange}
                        options={[
                          { value: 'tcp', label: 'tcp' },
                          { value: 'udp', label: 'udp' },
                        ]}
                      />
                    )}
                  />
                </GridCell>
                <GridCell isWrong={isWrong(`${at}.hostPort`)}>
                  <GridInput
                    aria-label={t('hostPortOf', { row: index + 1 })}
                    aria-invalid={isWrong(`${at}.hostPort`)}
                    placeholder={t('picked')}
                    {...form.register(`${at}.hostPort`)}
                  />
                </GridCell>
                <GridCell isWrong={isWrong(`${at}.hostIp`)}>
                  <GridInput
                    aria-label={t('hostIpOf', { row: index + 1 })}
                    aria-invalid={isWrong(`${at}.hostIp`)}
                    placeholder={t('any')}
                    {...form.register(`${at}.hostIp`)}
                  />
                </GridCell>
                <GridCell className="text-center">
                  <IconButton size="sm" label={t('remove', { row: index + 1 })} onClick={() => rows.remove(index)}>
                    <X className="size-3.5" />
                  </IconButton>
                </GridCell>
              </tr>
            );
          })}
        </GridTable>
        {messages.map((message) => (
          <FieldError key={message}>{message}</FieldError>
        ))}
        {root && messages.length === 0 && <FieldError>{text(root)}</FieldError>}
        {messages.length === 0 && <p className="text-small text-text-3 mt-1.5">{t('hint')}</p>}
        <FieldChange name="portMappings" />
      </div>
    </FormSection>
  );
}
