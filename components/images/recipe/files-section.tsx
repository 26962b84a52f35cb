'use client';

import { FileText, X } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { get, useWatch, type UseFormReturn } from 'react-hook-form';
import type { FileRecord } from '@/components/data/types';
import { AddedName, AddRecord } from '@/components/records/add-record';
import { FieldChange } from '@/components/records/field-change';
import { useIsReadOnly } from '@/components/records/form-access';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { FormSection } from '@/components/records/form-layout';
import type { RecordChoices } from '@/components/records/record-choices';
import { IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { GridCell, GridInput, GridNone, GridTable } from '@/components/ui/grid-table';
import { paths } from '@/lib/paths';
import { limits } from '@/lib/vocabulary/limits';
import type { ImageValues } from '../image-schema';

interface SectionProps {
  form: UseFormReturn<ImageValues>;
  isLast?: boolean;
}

const choices: RecordChoices<'files'> = {
  collection: 'files',
  searchFields: ['name'],
  toOption: (file: FileRecord) => ({ value: file.id, text: file.name, detail: file.content_type }),
};

/** Files of the archive that the image gets: where they lie in it, or in the folder of its build. */
export function FilesSection({ form, isLast = false }: SectionProps) {
  const t = useTranslations('pages.images.recipe');
  const isReadOnly = useIsReadOnly();
  const text = useProblemText();
  const [type, files, filePaths] = useWatch({ control: form.control, name: ['creationType', 'files', 'filePaths'] });
  const { errors } = form.formState;
  const problems = listProblems({ files: errors.files, filePaths: errors.filePaths as never });
  const messages = [...new Set(problems.map(({ message }) => text(message)))];
  const isWritten = type === 'writeDockerfile';

  function set(ids: string[], paths: Record<string, string>) {
    form.clearErrors(['files', 'filePaths']);
    form.setValue('files', ids, { shouldDirty: true });
    form.setValue('filePaths', paths, { shouldDirty: true });
  }
  function add(id: string) {
    if (files.includes(id)) form.setError('files', { type: 'twice', message: 'fileAlreadyAdded' });
    else if (files.length >= limits.filesPerImage) form.setError('files', { type: 'many', message: 'tooManyFiles' });
    else set([...files, id], filePaths);
  }
  function remove(id: string) {
    const { [id]: _gone, ...rest } = filePaths;
    set(
      files.filter((each) => each !== id),
      rest,
    );
  }

  return (
    <FormSection id="files" title={t('files')} text={isWritten ? t('filesWritten') : t('filesText')} isLast={isLast}>
      <div>
        <GridTable
          label={t('files')}
          heads={[
            t('file'),
            isWritten ? t('contextPath') : t('imagePath'),
            <span key="x" className="sr-only">
              {t('actions')}
            </span>,
          ]}
          widths={['40%', 'auto', '40px']}
          footer={
            !isReadOnly && (
              <>
                <AddRecord
                  choices={choices}
                  label={t('addFile')}
                  searchLabel={t('searchFiles')}
                  emptyText={t('noFilesToAdd')}
                  path="files"
                  isDisabled={false}
                  onAdd={add}
                />
                <Link
                  href={paths.fileCreate}
                  target="_blank"
                  className="text-table text-accent-text ml-auto rounded-sm px-1.5 hover:underline"
                >
                  {t('newFile')}
                </Link>
              </>
            )
          }
        >
          {files.length === 0 && <GridNone columns={3}>{t('noFiles')}</GridNone>}
          {files.map((id, index) => {
            const isWrong = Boolean(get(errors, `filePaths.${id}`));
            return (
              <tr key={id}>
                <GridCell label={t('file')} className="@max-md:col-span-2">
                  <span className="flex min-w-0 items-center gap-2 px-2.5">
                    <FileText className="text-text-3 size-3.5 shrink-0" aria-hidden="true" />
                    <AddedName choices={choices} id={id} />
                  </span>
                </GridCell>
                <GridCell label={isWritten ? t('contextPath') : t('imagePath')} isWrong={isWrong}>
                  <GridInput
                    aria-label={t('pathOf', { row: index + 1 })}
                    aria-invalid={isWrong}
                    name={`filePaths.${id}`}
                    placeholder={isWritten ? t('contextPathEmpty') : t('imagePathEmpty')}
                    value={filePaths[id] ?? ''}
                    onChange={(event) =>
                      form.setValue(
                        'filePaths',
                        { ...filePaths, [id]: event.target.value },
                        { shouldDirty: true, shouldValidate: form.formState.isSubmitted },
                      )
                    }
                  />
                </GridCell>
                <GridCell className="text-center">
                  {!isReadOnly && (
                    <IconButton size="sm" label={t('removeFile', { row: index + 1 })} onClick={() => remove(id)}>
                      <X className="size-3.5" />
                    </IconButton>
                  )}
                </GridCell>
              </tr>
            );
          })}
        </GridTable>
        {messages.map((message) => (
          <FieldError key={message}>{message}</FieldError>
        ))}
        <FieldChange name="files" wordsOf={() => t('changedFiles')} />
        <FieldChange name="filePaths" wordsOf={() => t('changedFiles')} />
      </div>
    </FormSection>
  );
}
