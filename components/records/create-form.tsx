'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { CollectionName } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { ModKbd } from '@/components/ui/mod-kbd';
import { FormLayout } from './form-layout';
import { applyProblems, focusFirstWrong, listProblems } from './form-problems';
import { PageHead } from './page-head';
import { SaveBar } from './save-bar';
import { schemaResolver } from './schema-resolver';
import { useTypedForm } from './use-typed-form';
import { useUnsavedGuard } from './use-unsaved-guard';

interface CreateFormProps<Values extends FieldValues> {
  collection: CollectionName;
  schema: z.ZodType<Values, Values>;
  defaultValues: Values;
  words: { title: string; section: string; button: string };
  labelOf: (path: string) => string;
  hrefOf: (id: string) => string;
  nameOf: (values: Values) => string;
  /** The body of the call, by the form's own names; the form itself where none is given. */
  toBody?: (values: Values) => Record<string, unknown>;
  children: (form: UseFormReturn<Values>) => ReactNode;
}

/** The page that makes a record of one short section. */
export function CreateForm<Values extends FieldValues>(props: CreateFormProps<Values>) {
  const { collection, schema, defaultValues, words, labelOf, hrefOf, nameOf, toBody, children } = props;
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const [isDone, setDone] = useState(false);
  const form = useTypedForm<Values>({
    shouldFocusError: false,
    resolver: schemaResolver(schema),
    defaultValues: defaultValues as DefaultValues<Values>,
  });
  const problems = listProblems(form.formState.errors);
  useUnsavedGuard(form.formState.isDirty && !isDone);

  const create = form.handleSubmit(async (values) => {
    setMessages([]);
    try {
      const { id } = await (await ready()).collection(collection).create(toBody?.(values) ?? values);
      setDone(true);
      tell.done(common('told.created', { name: nameOf(values) }));
      await refresh(collection);
      router.push(hrefOf(id));
    } catch (error) {
      setMessages(applyProblems(form, error, common('errors.general')));
      tell.refused(error);
    }
  }, focusFirstWrong);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title={words.title} />
      <FormLayout
        isNew
        indexLabel={common('form.index')}
        sections={[{ id: 'basics', label: words.section, isWrong: problems.length > 0 }]}
        onSubmit={() => void create()}
        bar={
          <SaveBar
            problems={problems}
            labelOf={labelOf}
            messages={messages}
            actions={
              <Button type="submit" variant="primary" data-key-save="" isBusy={form.formState.isSubmitting}>
                {words.button}
                <ModKbd letter="↵" isOnAccent />
              </Button>
            }
          />
        }
      >
        {children(form)}
      </FormLayout>
    </div>
  );
}
