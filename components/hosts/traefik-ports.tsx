'use client';

import { Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Controller, useFieldArray, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormField } from '@/components/records/form-field';
import { Button, IconButton } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { NEW_PORT, type TraefikValues } from './proxy-schema';

const PORTS = ['hostPort', 'containerPort'] as const;
const PROTOCOLS = [
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
];

/** The ports of the host that lead to Traefik's entry points. */
export function TraefikPorts({ form }: { form: UseFormReturn<TraefikValues> }) {
  const t = useTranslations('pages.hosts.traefik');
  const isReadOnly = useIsReadOnly();
  const rows = useFieldArray({ control: form.control, name: 'traefik.ports' });
  return (
    <div role="group" aria-label={t('fields.ports')} className="grid gap-2">
      <h3 className="text-table font-medium">{t('fields.ports')}</h3>
      {rows.fields.length === 0 && <p className="text-table text-text-2">{t('noPorts')}</p>}
      {rows.fields.map((row, index) => (
        <div
          key={row.id}
          role="group"
          aria-label={t('port', { row: index + 1 })}
          className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_84px_32px] items-start gap-2 max-sm:grid-cols-2"
        >
          {PORTS.map((name) => (
            <FormField key={name} form={form} name={`traefik.ports.${index}.${name}`} label={t(`fields.${name}`)}>
              {(control) => (
                <Input
                  {...control}
                  isMono
                  inputMode="numeric"
                  autoComplete="off"
                  placeholder={name === 'hostPort' ? t('anyPort') : '80'}
                  {...form.register(`traefik.ports.${index}.${name}`)}
                />
              )}
            </FormField>
          ))}
          <FormField form={form} name={`traefik.ports.${index}.protocol`} label={t('fields.protocol')}>
            {(control) => (
              <Controller
                control={form.control}
                name={`traefik.ports.${index}.protocol`}
                render={({ field }) => (
                  <Select
                    {...control}
                    className="w-full"
                    value={field.value}
                    disabled={isReadOnly}
                    onValueChange={(value) => {
                      // The list says nothing where the form is reset.
                      if (value !== '') field.onChange(value);
                    }}
                    options={PROTOCOLS}
                  />
                )}
              />
            )}
          </FormField>
          {!isReadOnly && (
            <IconButton
              className="mt-[22px] max-sm:justify-self-end"
              label={t('removePort', { row: index + 1 })}
              onClick={() => rows.remove(index)}
            >
              <X className="size-3.5" />
            </IconButton>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <div>
          <Button
            size="sm"
            data-path="traefik.ports"
            onClick={() => rows.append(NEW_PORT, { focusName: `traefik.ports.${rows.fields.length}.hostPort` })}
          >
            <Plus className="size-4" aria-hidden="true" />
            {t('addPort')}
          </Button>
        </div>
      )}
    </div>
  );
}
