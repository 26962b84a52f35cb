'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { FormLayout } from '@/components/records/form-layout';
import { applyProblems, focusFirstWrong, listProblems, wrongFields } from '@/components/records/form-problems';
import { PageHead } from '@/components/records/page-head';
import { SaveBar } from '@/components/records/save-bar';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { BasicsSection } from './basics-section';
import { EnvironmentSection } from './environment-section';
import { useFormSections } from './form-sections';
import { PortsSection } from './ports-section';
import { StartChecks } from './start-checks';
import { StartSection } from './start-section';
import { requestWorkspace } from '@/components/records/use-workspace-actions';
import { emptyWorkspace, toBody, workspaceSchema, type WorkspaceValues } from './workspace-schema';

export function WorkspaceCreate() {
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const [isDone, setDone] = useState(false);
  const form = useForm<WorkspaceValues>({
    shouldFocusError: false,
    resolver: zodResolver(workspaceSchema),
    defaultValues: emptyWorkspace,
  });
  const problems = listProblems(form.formState.errors);
  const { sections, labelOf } = useFormSections();
  const isWrong = wrongFields(problems);
  const { isSubmitting, isDirty } = form.formState;
  useUnsavedGuard(isDirty && !isDone);

  const create = (isStarted: boolean) =>
    form.handleSubmit(async (values) => {
      setMessages([]);
      try {
        const record = await (
          await ready()
        )
          .collection('workspaces')
          .create<WorkspaceRecord>({ ...toBody(values), enabled: true });
        setDone(true);
        if (isStarted)
          await requestWorkspace(record.id, 'start').catch((error: unknown) => tell.failed(t('startFailed'), error));
        else tell.done(common('told.created', { name: record.name }));
        await refresh('workspaces', 'deployments');
        router.push(paths.workspace(record.id));
      } catch (error) {
        setMessages(applyProblems(form, error, common('errors.general')));
      }
    }, focusFirstWrong)();

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title={t('create.title')} />
      <FormLayout
        indexLabel={common('form.index')}
        sections={sections(isWrong)}
        aside={<StartChecks form={form} />}
        onSubmit={() => void create(true)}
        bar={
          <SaveBar
            problems={problems}
            labelOf={labelOf}
            messages={messages}
            actions={
              <>
                <Button asChild variant="ghost" className="max-sm:hidden">
                  <Link href={paths.workspaces}>{common('actions.cancel')}</Link>
                </Button>
                <Button isBusy={isSubmitting} onClick={() => void create(false)}>
                  {t('create.later')}
                </Button>
                <Button type="submit" variant="primary" data-key-save="" isBusy={isSubmitting}>
                  {t('create.start')}
                  <Kbd isOnAccent>⌘↵</Kbd>
                </Button>
              </>
            }
          />
        }
      >
        <BasicsSection form={form} />
        <PortsSection form={form} />
        <EnvironmentSection form={form} />
        <StartSection form={form} />
      </FormLayout>
    </div>
  );
}
