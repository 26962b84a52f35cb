'use client';

import { useTranslations } from 'next-intl';
import type { FormProblem } from './form-problems';
import { SaveBar } from './save-bar';
import { Button } from '@/components/ui/button';
import { ModKbd } from '@/components/ui/mod-kbd';

interface SaveActionsProps {
  isDirty: boolean;
  isSubmitting: boolean;
  problems: FormProblem[];
  messages: string[];
  labelOf: (path: string) => string;
  saveLabel?: string;
  onDiscard: () => void;
}

/** The save bar of a form: discard and save, while there is something to save. */
export function SaveActions(props: SaveActionsProps) {
  const { isDirty, isSubmitting, problems, messages, labelOf, saveLabel, onDiscard } = props;
  const common = useTranslations('common');
  return (
    <SaveBar
      problems={problems}
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
            <ModKbd letter="↵" isOnAccent />
          </Button>
        </>
      }
    />
  );
}
