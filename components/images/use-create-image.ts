'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { applyProblems, focusFirstWrong } from '@/components/records/form-problems';
import { requestImage } from '@/components/records/use-image-actions';
import { paths } from '@/lib/paths';
import { referenceFields, type ImageValues } from './image-schema';

interface Making {
  type: ImageValues['creationType'];
  isTemplate: boolean;
}

/** Stores what the form says and builds it where that is asked. */
export function useCreateImage(form: UseFormReturn<ImageValues>, { type, isTemplate }: Making) {
  const t = useTranslations('pages.images.create');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const [isDone, setDone] = useState(false);

  const create = (isBuilt: boolean) =>
    form.handleSubmit(async (values) => {
      setMessages([]);
      try {
        const image = await (await ready()).collection('images').create<ImageRecord>({
          ...values,
          enabled: true,
          ...(isTemplate && { template: true }),
        });
        setDone(true);
        if (isBuilt)
          await requestImage(image.id, 'build').catch((error: unknown) => tell.failed(t('buildFailed'), error));
        else tell.done(common('told.created', { name: values.name }));
        await refresh('images');
        router.push(paths.image(image.id));
      } catch (error) {
        setMessages(applyProblems(form, error, common('errors.general'), referenceFields(type)));
        tell.refused(error);
      }
    }, focusFirstWrong)();

  return { create, messages, isDone };
}
