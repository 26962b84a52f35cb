'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { FormLayout } from '@/components/records/form-layout';
import { applyProblems, focusFirstWrong, listProblems } from '@/components/records/form-problems';
import { SaveBar } from '@/components/records/save-bar';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';
import { ImageFields } from './image-fields';
import { imageSchema, type ImageValues } from './image-schema';

/** What an image is made of; takes effect with the next build. */
export function ImageSettings({ image }: { image: ImageRecord }) {
  const t = useTranslations('pages.images');
  const common = useTranslations('common');
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useForm<ImageValues>({
    shouldFocusError: false,
    resolver: zodResolver(imageSchema),
    values: pick(image),
    resetOptions: { keepDirtyValues: true },
  });
  const problems = listProblems(form.formState.errors);
  const { isDirty, isSubmitting } = form.formState;
  const canEdit = image.can?.['modify'] === true;
  useUnsavedGuard(isDirty);

  const save = form.handleSubmit(async (values) => {
    setMessages([]);
    try {
      await (await ready()).collection('images').update(image.id, values);
      form.reset(values);
      tell.done(common('told.saved', { name: values.name }), t('nextBuild'));
      await refresh('images');
    } catch (error) {
      setMessages(applyProblems(form, error, common('errors.general')));
    }
  }, focusFirstWrong);

  return (
    <FormLayout
      indexLabel={common('form.index')}
      sections={[
        { id: 'basics', label: t('fields.basics'), isWrong: problems.some((problem) => problem.path !== 'dockerfile') },
        ...(image.creationType === 'pullAnImage'
          ? []
          : [
              {
                id: 'dockerfile',
                label: t('fields.dockerfile'),
                isWrong: problems.some((problem) => problem.path === 'dockerfile'),
              },
            ]),
        { id: 'options', label: t('fields.options') },
      ]}
      onSubmit={() => void save()}
      bar={
        canEdit && (
          <SaveBar
            problems={problems}
            labelOf={(path) => t(`labels.${path as 'name'}`)}
            messages={messages}
            note={isDirty ? common('form.unsaved') : undefined}
            actions={
              <>
                {isDirty && (
                  <Button variant="ghost" onClick={() => form.reset(pick(image), { keepDirtyValues: false })}>
                    {common('actions.discard')}
                  </Button>
                )}
                <Button type="submit" variant="primary" data-key-save="" disabled={!isDirty} isBusy={isSubmitting}>
                  {common('actions.save')}
                  <Kbd isOnAccent>⌘↵</Kbd>
                </Button>
              </>
            }
          />
        )
      }
    >
      <fieldset disabled={!canEdit} className="contents">
        <ImageFields form={form} type={image.creationType} isHostFixed />
      </fieldset>
    </FormLayout>
  );
}

function pick(image: ImageRecord): ImageValues {
  const { creationType, name, description, build_on, dockerImageName, dockerfile, force_pull_base, push_after_build } =
    image;
  return { creationType, name, description, build_on, dockerImageName, dockerfile, force_pull_base, push_after_build };
}
