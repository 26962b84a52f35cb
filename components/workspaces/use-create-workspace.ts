'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { ready } from '@/components/data/client';
import { statusOf } from '@/components/data/problems';
import { useRefresh } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { focusFirstWrong } from '@/components/records/form-problems';
import { requestWorkspace } from '@/components/records/use-workspace-actions';
import { paths } from '@/lib/paths';
import type { Carried } from './carried-section';
import { toBody } from './workspace-body';
import { applyWorkspaceProblems } from './workspace-problems';
import type { WorkspaceValues } from './workspace-schema';
import type { WorkspaceSource } from './workspace-source';

interface Making {
  source: WorkspaceSource | undefined;
  carried: Carried;
  isTemplate: boolean;
}

/** Stores what the form says, with what goes over from its source, and starts it where that is asked. */
export function useCreateWorkspace(form: UseFormReturn<WorkspaceValues>, { source, carried, isTemplate }: Making) {
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const [isDone, setDone] = useState(false);

  async function store(values: WorkspaceValues): Promise<WorkspaceRecord> {
    return (await ready()).collection('workspaces').create<WorkspaceRecord>({
      ...toBody(values),
      enabled: true,
      ...(isTemplate && { template: true }),
      ...(source && { copiedFrom: source.record.id }),
    });
  }

  /** Whoever has a permission meanwhile, as they follow from addresses too, needs no other. */
  async function letIn(workspace: string): Promise<void> {
    const permissions = (await ready()).collection('workspace_login_permissions');
    const asked = carried.logins.map(({ user, group, url }) => permissions.create({ user, group, url, workspace }));
    const failed = (await Promise.allSettled(asked)).find(
      (result) => result.status === 'rejected' && statusOf(result.reason) !== 400,
    );
    if (failed?.status === 'rejected') tell.failed(t('create.loginsFailed'), failed.reason);
  }

  const create = (isStarted: boolean) =>
    form.handleSubmit(async (values) => {
      setMessages([]);
      try {
        const record = await store(values);
        setDone(true);
        await letIn(record.id);
        if (isStarted)
          await requestWorkspace(record.id, 'start').catch((error: unknown) => tell.failed(t('startFailed'), error));
        else tell.done(common('told.created', { name: record.name }));
        await refresh('workspaces', 'deployments');
        router.push(paths.workspace(record.id));
      } catch (error) {
        setMessages(applyWorkspaceProblems(form, error, common('errors.general')));
        tell.refused(error);
      }
    }, focusFirstWrong)();

  return { create, messages, isDone };
}
