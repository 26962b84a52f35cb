'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { FieldChangesProvider } from './field-change';
import { FormAccessProvider, ReadOnlyNotice } from './form-access';
import { FormLayout, type FormSectionItem } from './form-layout';
import { listProblems, wrongFields } from './form-problems';
import type { Values } from './record-draft';
import { SaveActions } from './save-actions';
import { useRecordForm, type RecordFormOptions } from './use-record-form';

type StoredRow = { id: string; updated: string; created_by?: string } | null;

interface RecordFormProps<Stored extends StoredRow, Form extends Values> extends RecordFormOptions<Stored, Form> {
  canEdit: boolean;
  sections: (isWrong: (...fields: string[]) => boolean) => FormSectionItem[];
  labelOf: (path: string) => string;
  children: (form: UseFormReturn<Form>, tools: { showProblems: (error: unknown) => void }) => ReactNode;
}

/** The form of everything that is stored: it follows what others save and loses nothing of it. */
export function RecordForm<Stored extends StoredRow, Form extends Values>(props: RecordFormProps<Stored, Form>) {
  const { source, canEdit, sections, labelOf, children } = props;
  const common = useTranslations('common');
  const { form, isDirty, messages, submit, showProblems, theirs, keepMine, takeTheirs, discard } = useRecordForm(props);
  const wrong = listProblems(form.formState.errors);
  const open = Object.keys(theirs).filter((name) => !wrong.some(({ path }) => path === name));
  const problems = [...wrong, ...open.map((path) => ({ path, message: common('changed.title') }))];
  const changes = { collection: source.collection, recordId: source.row?.id ?? '', theirs, keepMine, takeTheirs };
  return (
    <FormLayout
      indexLabel={common('form.index')}
      scrollLabel={canEdit ? undefined : common('form.stored')}
      sections={sections(wrongFields(problems))}
      onSubmit={() => void submit()}
      bar={
        canEdit && (
          <SaveActions
            isDirty={isDirty}
            isSubmitting={form.formState.isSubmitting}
            problems={problems}
            messages={messages}
            labelOf={labelOf}
            onDiscard={discard}
          />
        )
      }
    >
      {!canEdit && <ReadOnlyNotice creatorId={source.row?.created_by ?? ''} />}
      <FormAccessProvider value={{ isReadOnly: !canEdit }}>
        <fieldset
          disabled={!canEdit}
          className="disabled:[&_button]:text-text-2 disabled:[&_input]:text-text-2 disabled:[&_textarea]:text-text-2 contents"
        >
          <FieldChangesProvider value={changes}>{children(form, { showProblems })}</FieldChangesProvider>
        </fieldset>
      </FormAccessProvider>
    </FormLayout>
  );
}
