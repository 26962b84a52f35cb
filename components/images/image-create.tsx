'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { FormLayout } from '@/components/records/form-layout';
import { applyProblems, focusFirstWrong, listProblems, wrongFields } from '@/components/records/form-problems';
import { PageHead } from '@/components/records/page-head';
import { SaveBar } from '@/components/records/save-bar';
import { useTab } from '@/components/records/use-tab';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { paths } from '@/lib/paths';
import { ImageFields } from './image-fields';
import { imageSchema, type ImageValues } from './image-schema';
import { useImageSections } from './image-sections';
import { STARTERS } from './starters';
import { requestImage } from '@/components/records/use-image-actions';

const TABS = ['write', 'pull'] as const;
const types = { write: 'writeDockerfile', pull: 'pullAnImage' } as const;

export function ImageCreate() {
  const t = useTranslations('pages.images.create');
  const [tab, setTab] = useTab(TABS);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title={t('title')} />
      <Tabs
        className="flex min-h-0 flex-1 flex-col"
        label={t('title')}
        value={tab}
        onValueChange={setTab}
        tabs={TABS.map((each) => ({ value: each, label: t(each) }))}
      >
        {TABS.map((each) => (
          <TabPanel key={each} value={each} className="flex min-h-0 flex-1 flex-col pt-3 data-[state=inactive]:hidden">
            <ImageForm type={types[each]} />
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}

function ImageForm({ type }: { type: ImageValues['creationType'] }) {
  const t = useTranslations('pages.images');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const [isDone, setDone] = useState(false);
  const isPull = type === 'pullAnImage';
  const form = useForm<ImageValues>({
    shouldFocusError: false,
    resolver: zodResolver(imageSchema),
    defaultValues: {
      creationType: type,
      name: '',
      description: '',
      build_on: '',
      dockerImageName: '',
      dockerfile: isPull ? '' : STARTERS[0].dockerfile,
      force_pull_base: false,
      push_after_build: false,
    },
  });
  const problems = listProblems(form.formState.errors);
  const { sections, labelOf } = useImageSections(type);
  useUnsavedGuard(form.formState.isDirty && !isDone);

  const create = (isBuilt: boolean) =>
    form.handleSubmit(async (values) => {
      setMessages([]);
      try {
        const image = await (await ready()).collection('images').create<ImageRecord>({ ...values, enabled: true });
        setDone(true);
        if (isBuilt)
          await requestImage(image.id, 'build').catch((error: unknown) => tell.failed(t('create.buildFailed'), error));
        else tell.done(common('told.created', { name: values.name }));
        await refresh('images');
        router.push(paths.image(image.id));
      } catch (error) {
        setMessages(applyProblems(form, error, common('errors.general')));
      }
    }, focusFirstWrong)();

  return (
    <FormLayout
      indexLabel={common('form.index')}
      sections={sections(wrongFields(problems))}
      onSubmit={() => void create(true)}
      bar={
        <SaveBar
          problems={problems}
          labelOf={labelOf}
          messages={messages}
          actions={
            <>
              <Button isBusy={form.formState.isSubmitting} onClick={() => void create(false)}>
                {isPull ? t('create.pullLater') : t('create.buildLater')}
              </Button>
              <Button type="submit" variant="primary" data-key-save="" isBusy={form.formState.isSubmitting}>
                {isPull ? t('create.andPull') : t('create.andBuild')}
                <Kbd isOnAccent>⌘↵</Kbd>
              </Button>
            </>
          }
        />
      }
    >
      <ImageFields form={form} type={type} hasStarters />
    </FormLayout>
  );
}
