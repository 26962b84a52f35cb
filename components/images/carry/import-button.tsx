'use client';

import { FileInput } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import type { ImageValues } from '../image-schema';
import type { Lists } from './merge-lists';

const ImportDialog = dynamic(() => import('./import-dialog').then((module) => module.ImportDialog));

/** Takes lists of packages over from a file of another tool, into the form. */
export function ImportButton({ form }: { form: UseFormReturn<ImageValues> }) {
  const t = useTranslations('pages.images.carry');
  const [isOpen, setOpen] = useState(false);
  function take(lists: Lists) {
    const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
    const before = form.getValues();
    for (const field of ['baseImage', 'environments', 'startupCommands'] as const) {
      if (JSON.stringify(before[field]) !== JSON.stringify(lists[field])) form.setValue(field, lists[field], options);
    }
  }
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <FileInput className="size-4" aria-hidden="true" />
        {t('open')}
      </Button>
      {isOpen && <ImportDialog present={form.getValues()} onTake={take} onClose={() => setOpen(false)} />}
    </>
  );
}
