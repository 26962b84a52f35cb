'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { fieldProblems } from '@/components/data/problems';
import { useTell } from '@/components/data/use-tell';
import { FormLayout, FormSection } from '@/components/records/form-layout';
import { SaveBar } from '@/components/records/save-bar';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Skeleton } from '@/components/ui/parts';
import { Select } from '@/components/ui/select';
import { useSetting } from './use-setting';

const CHOICES = ['nobody', 'admins', 'everyone'] as const;
type Choice = (typeof CHOICES)[number];

function choiceOf(value: unknown): Choice {
  const stored =
    typeof value === 'object' && value !== null && 'requireSecondFactor' in value ? value.requireSecondFactor : '';
  return CHOICES.find((each) => each === stored) ?? 'nobody';
}

/** Who has to have a second factor. */
export function SecondFactorTab() {
  const t = useTranslations('pages.settings.signIn');
  const common = useTranslations('common');
  const tell = useTell();
  const { query, save } = useSetting('security');
  const [picked, setPicked] = useState<Choice>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const stored = choiceOf(query.data?.value);
  const isDirty = picked !== undefined && picked !== stored;
  useUnsavedGuard(isDirty);

  async function submit() {
    setBusy(true);
    setError(undefined);
    try {
      await save({ requireSecondFactor: picked ?? stored });
      setPicked(undefined);
      tell.done(common('told.saved', { name: t('name') }));
    } catch (thrown) {
      const problem = fieldProblems(thrown)[0]?.message;
      if (problem) setError(problem);
      else tell.failed(common('errors.general'), thrown);
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormLayout
      indexLabel={common('form.index')}
      sections={[{ id: 'second-factor', label: t('title'), isWrong: error !== undefined }]}
      onSubmit={() => void submit()}
      bar={
        <SaveBar
          problems={[]}
          labelOf={() => t('requireSecondFactor')}
          note={isDirty ? common('form.unsaved') : undefined}
          actions={
            <Button type="submit" variant="primary" data-key-save="" disabled={!isDirty} isBusy={isBusy}>
              {common('actions.save')}
            </Button>
          }
        />
      }
    >
      <FormSection id="second-factor" title={t('title')} text={t('text')} isLast>
        {query.isPending ? (
          <Skeleton className="h-8 w-64" />
        ) : (
          <Field label={t('requireSecondFactor')} error={error}>
            {(control) => (
              <Select
                {...control}
                className="w-72 max-w-full"
                value={picked ?? stored}
                onValueChange={(value) => setPicked(choiceOf({ requireSecondFactor: value }))}
                options={CHOICES.map((value) => ({ value, label: t(value) }))}
              />
            )}
          </Field>
        )}
      </FormSection>
    </FormLayout>
  );
}
