'use client';

import { ListChecks } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { FormSection } from '@/components/records/form-layout';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import type { ImageValues } from '../image-schema';
import { CheckResult } from './check-result';
import { askedOf, useCheck } from './use-check';
import { usePreview, type Preview } from './use-preview';

/** What the lists come to: the Dockerfile and the lists that it reads, and all of it as one Dockerfile to copy. */
export function PreviewSection({ form }: { form: UseFormReturn<ImageValues> }) {
  const t = useTranslations('pages.images.recipe');
  const values = useWatch({ control: form.control }) as ImageValues;
  const { data, isError } = usePreview(values, false);
  const checks = useTranslations('pages.images.check');
  const { check, start, cancel } = useCheck();
  const { data: whole } = usePreview(values, true);
  return (
    <FormSection
      id="preview"
      title={t('preview')}
      text={t('previewText')}
      aside={
        <div className="flex items-center gap-2">
          {values.environments.length > 0 && (
            <Button
              size="sm"
              isBusy={check.state === 'running'}
              title={checks('hint')}
              onClick={() => void start(values)}
            >
              <ListChecks className="size-3.5" aria-hidden="true" />
              {checks('act')}
            </Button>
          )}
          {whole && <CopyButton text={whole.dockerfile} label={t('copyPreview')} copiedLabel={t('copied')} />}
        </div>
      }
      isLast
    >
      <CheckResult check={check} isStale={askedOf(values) !== check.asked} onCancel={cancel} />
      {isError && <p className="text-table text-text-2">{t('noPreview')}</p>}
      {data && (
        <pre
          tabIndex={0}
          role="region"
          aria-label={t('preview')}
          className="mono border-line bg-sunken max-h-96 overflow-auto rounded-md border px-3.5 py-2.5 whitespace-pre"
        >
          {textOf(data)}
        </pre>
      )}
    </FormSection>
  );
}

/** Lists and commands, which change with what is typed; the scripts that read them are the same for every image. */
const TOLD = /\/(?:environments\/|startup\/commands\/)/;

function textOf({ dockerfile, files }: Preview): string {
  const lists = files.filter(({ path }) => TOLD.test(path)).map(({ path, text }) => `# ${path}\n${text}`);
  return [dockerfile, ...lists].join('\n');
}
