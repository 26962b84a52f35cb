'use client';

import { useTranslations } from 'next-intl';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { listProblems } from './form-problems';
import { SaveBar } from './save-bar';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';

interface SaveActionsProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  messages: string[];
  labelOf: (path: string) => string;
  saveLabel?: string;
  onDiscard: () => void;
}

/** The save bar of a form about an account: discard and save, while there is something to save. */
export function SaveActions<Values extends FieldValues>(props: SaveActionsProps<Values>) {
  const { form, messages, labelOf, saveLabel, onDiscard } = props;
  const common = useTranslations('common');
  const { isDirty, isSubmitting, errors } = form.formState;
  return (
    <SaveBar
      problems={listProblems(errors)}
      labelOf={labelOf}
      messages={messages}
      note={isDirty ? common('form.unsaved') : undefined}
      actions={
        <>
          {isDirty && (
            <Button variant="ghost" onClick={onDiscard}>
              {common('actions.discard')}
            </Button>
          )}
          <Button type="submit" variant="primary" data-key-save="" disabled={!isDirty} isBusy={isSubmitting}>
            {saveLabel ?? common('actions.save')}
            <Kbd isOnAccent>⌘↵</Kbd>
          </Button>
        </>
      }
    />
  );
}
