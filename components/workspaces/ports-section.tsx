'use client';

import { Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Controller, get, useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { FieldChange } from '@/components/records/field-change';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { FormSection } from '@/components/records/form-layout';
import { Button, IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { GridCell, GridInput, GridNone, GridTable } from '@/components/ui/grid-table';
import { Select } from '@/components/ui/select';
import type { ObservedPort } from '@/lib/vocabulary/workspace';
import type { WorkspaceValues } from './workspace-schema';

interface PortsSectionProps {
  form: UseFormReturn<WorkspaceValues>;
  /** What the host has given to ports that are left open. */
  picked?: readonly ObservedPort[];
}

export function PortsSection({ form, picked = [] }: PortsSectionProps) {
  const t = useTranslations('pages.workspaces.ports');
  const rows = useFieldArray({ control: form.control, name: 'portMappings' });
  const text = useProblemText();
  const isReadOnly = useIsReadOnly();
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
          widths={['24%', '78px', '24%', 'auto', '40px']}
          footer={
            !isReadOnly && (
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
            )
          }
        >
          {isReadOnly && rows.fields.length === 0 && <GridNone columns={5}>{t('none')}</GridNone>}
          {rows.fields.map((row, index) => {
            const at = `portMappings.${index}` as const;
            return (
              <tr key={row.id}>
                <GridCell label={t('containerPort')} isWrong={isWrong(`${at}.containerPort`)}>
                  <GridInput
                    aria-label={t('containerPortOf', { row: index + 1 })}
                    aria-invalid={isWrong(`${at}.containerPort`)}
                    placeholder="8888"
                    {...form.register(`${at}.containerPort`)}
                  />
                </GridCell>
                <GridCell label={t('protocol')}>
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
                <GridCell label={t('hostPort')} isWrong={isWrong(`${at}.hostPort`)}>
                  <GridInput
                    aria-label={t('hostPortOf', { row: index + 1 })}
                    aria-invalid={isWrong(`${at}.hostPort`)}
                    placeholder={t('picked')}
                    {...form.register(`${at}.hostPort`)}
                  />
                </GridCell>
                <GridCell label={t('hostIp')} isWrong={isWrong(`${at}.hostIp`)}>
                  <GridInput
                    aria-label={t('hostIpOf', { row: index + 1 })}
                    aria-invalid={isWrong(`${at}.hostIp`)}
                    placeholder={t('any')}
                    {...form.register(`${at}.hostIp`)}
                  />
                </GridCell>
                <GridCell className="text-center">
                  {!isReadOnly && (
                    <IconButton size="sm" label={t('remove', { row: index + 1 })} onClick={() => rows.remove(index)}>
                      <X className="size-3.5" />
                    </IconButton>
                  )}
                </GridCell>
              </tr>
            );
          })}
        </GridTable>
        {!isReadOnly && <PickedPorts form={form} picked={picked} />}
        {messages.map((message) => (
          <FieldError key={message}>{message}</FieldError>
        ))}
        {root && messages.length === 0 && <FieldError>{text(root)}</FieldError>}
        {messages.length === 0 && !isReadOnly && <p className="text-small text-text-3 mt-1.5">{t('hint')}</p>}
        <FieldChange name="portMappings" />
      </div>
    </FormSection>
  );
}

/** Offers to keep the host ports that were picked, for good. */
function PickedPorts({ form, picked }: Required<PortsSectionProps>) {
  const t = useTranslations('pages.workspaces.ports');
  const mappings = useWatch({ control: form.control, name: 'portMappings' });
  const offers = mappings.flatMap(({ containerPort, protocol, hostPort }, index) => {
    if (String(hostPort).trim() !== '') return [];
    const port = picked.find(
      (each) =>
        each.hostPort !== 0 && String(each.containerPort) === String(containerPort) && each.protocol === protocol,
    );
    return port ? [{ index, port }] : [];
  });
  if (offers.length === 0) return null;
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {offers.map(({ index, port }) => (
        <Button
          key={`${port.containerPort}/${port.protocol}`}
          size="sm"
          title={t('useHint', { containerPort: port.containerPort })}
          onClick={() => {
            const path = `portMappings.${index}.hostPort` as const;
            form.setValue(path, String(port.hostPort), { shouldDirty: true, shouldValidate: true });
            form.setFocus(path);
          }}
        >
          {t('use', { hostPort: port.hostPort, containerPort: port.containerPort })}
        </Button>
      ))}
    </div>
  );
}
