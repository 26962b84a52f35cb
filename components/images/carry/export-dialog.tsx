'use client';

import { Download } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ImageRecord } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { RadioList } from '@/components/ui/radio-list';
import { Select } from '@/components/ui/select';
import { paths } from '@/lib/paths';

const FORMATS = ['requirements.txt', 'environment.yml', 'Dockerfile'] as const;
type Format = (typeof FORMATS)[number];
const WORDS = {
  'requirements.txt': 'requirements',
  'environment.yml': 'environment',
  Dockerfile: 'dockerfile',
} as const;

/** What an image is made of, to be saved as a file of another tool. */
export function ExportDialog({ image, onClose }: { image: ImageRecord; onClose: () => void }) {
  const t = useTranslations('pages.images.carry');
  const common = useTranslations('common.actions');
  const isGenerated = image.creationType === 'generateDockerfile';
  const names = isGenerated ? (image.environments ?? []).map(({ name }) => name) : [];
  const formats: readonly Format[] = names.length > 0 ? FORMATS : ['Dockerfile'];
  const [format, setFormat] = useState<Format>(formats[0]!);
  const [environment, setEnvironment] = useState(names[0] ?? '');
  const isOfEnvironment = format !== 'Dockerfile';
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('exportTitle', { name: image.name })}
      description={t('exportText')}
      closeLabel={common('close')}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button asChild variant="primary">
            <a
              href={paths.imageExport(image.id, { format, ...(isOfEnvironment && { environment }) })}
              download
              onClick={onClose}
            >
              <Download className="size-4" aria-hidden="true" />
              {t('download')}
            </a>
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5">
        <RadioList
          label={t('format')}
          value={format}
          onChange={setFormat}
          options={formats.map((value) => ({ value, label: value, text: t(`formats.${WORDS[value]}`) }))}
        />
        {isOfEnvironment && names.length > 1 && (
          <Field label={t('ofEnvironment')}>
            {(control) => (
              <Select
                {...control}
                value={environment}
                onValueChange={setEnvironment}
                options={names.map((value) => ({ value, label: value }))}
              />
            )}
          </Field>
        )}
      </div>
    </Dialog>
  );
}
