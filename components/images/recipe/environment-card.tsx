'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormField } from '@/components/records/form-field';
import { IconButton } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import type { ImageValues } from '../image-schema';
import { EnvironmentChannels } from './channel-list';
import { PackageGrid } from './package-grid';

interface EnvironmentCardProps {
  form: UseFormReturn<ImageValues>;
  index: number;
  onRemove: () => void;
}

export function EnvironmentCard({ form, index, onRemove }: EnvironmentCardProps) {
  const t = useTranslations('pages.images.recipe');
  const isReadOnly = useIsReadOnly();
  const at = `environments.${index}` as const;
  return (
    <div
      role="group"
      aria-label={t('environmentOf', { row: index + 1 })}
      className="rounded-card border-line-strong grid gap-3.5 border p-3.5"
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <FormField form={form} name={`${at}.name`} label={t('environmentName')}>
            {(control) => (
              <Input {...control} isMono autoComplete="off" spellCheck={false} {...form.register(`${at}.name`)} />
            )}
          </FormField>
        </div>
        {!isReadOnly && (
          <IconButton size="sm" label={t('removeEnvironment', { row: index + 1 })} onClick={onRemove}>
            <X className="size-3.5" />
          </IconButton>
        )}
      </div>
      <EnvironmentChannels form={form} index={index} />
      <PackageGrid form={form} index={index} />
    </div>
  );
}
