'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { FormLayout } from '@/components/records/form-layout';
import { applyProblems, focusFirstWrong, listProblems } from '@/components/records/form-problems';
import { SaveBar } from '@/components/records/save-bar';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';
import { BasicsSection } from './basics-section';
import { EnvironmentSection } from './environment-section';
import { useFormSections } from './form-sections';
import { PortsSection } from './ports-section';
import { StartSection } from './start-section';
import { toBody, toValues, workspaceSchema, type WorkspaceValues } from './workspace-schema';

/** What is set; takes effect with the next deployment. */
export function WorkspaceSettings({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useForm<WorkspaceValues>({
    shouldFocusError: false,
    resolver: zodResolver(workspaceSchema),
    defaultValues: toValues(workspace),
  });
  const problems = listProblems(form.formState.errors);
  const { sections, labelOf } = useFormSections(problems);
  const { isDirty, isSubmitting } = form.formState;
  const canEdit = workspace.can?.['modify'] === true;
  useUnsavedGuard(isDirty);

  const save = form.handleSubmit(async (values) => {
    setMessages([]);
    try {
      const record = await (
        await ready()
      )
        .collection('workspaces')
        .update<WorkspaceRecord>(workspace.id, toBody(values));
      form.reset(toValues(record));
      tell.done(
        common('told.saved', { name: record.name }),
        workspace.status === 'running' ? t('nextDeploy') : undefined,
      );
      await refresh('workspaces');
    } catch (error) {
      setMessages(applyProblems(form, error, common('errors.general')));
    }
  }, focusFirstWrong);

  return (
    <FormLayout
      indexLabel={common('form.index')}
      sections={sections}
      onSubmit={() => void save()}
      bar={
        canEdit && (
          <SaveBar
            problems={problems}
            labelOf={labelOf}
            messages={messages}
            note={isDirty ? common('form.unsaved') : undefined}
            actions={
              <>
                {isDirty && (
                  <Button variant="ghost" onClick={() => form.reset(toValues(workspace))}>
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
        <BasicsSection form={form} isHostFixed />
        <PortsSection form={form} />
        <EnvironmentSection form={form} />
        <StartSection form={form} />
      </fieldset>
    </FormLayout>
  );
}
