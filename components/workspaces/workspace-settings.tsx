'use client';

import { useTranslations } from 'next-intl';
import type { WorkspaceRecord } from '@/components/data/types';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { useFormSections } from './form-sections';
import { applyWorkspaceProblems } from './workspace-problems';
import { toBody, toValues } from './workspace-body';
import { workspaceSchema } from './workspace-schema';
import { WorkspaceSections } from './workspace-sections';

/** What is set; takes effect with the next deployment. */
export function WorkspaceSettings({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces');
  const source = useRecordSource('workspaces', workspace);
  return (
    <RecordForm
      source={{
        ...source,
        // The record keeps the paths of volumes in a field of their own.
        write: (body, changed) =>
          source.write(body, changed.includes('volumes') ? [...changed, 'volumePaths'] : changed),
      }}
      applyProblems={applyWorkspaceProblems}
      schema={workspaceSchema}
      toValues={toValues}
      toBody={toBody}
      nameOf={(saved) => saved.name}
      savedHint={workspace.status === 'running' ? t('nextDeploy') : undefined}
      canEdit={workspace.can?.['modify'] === true}
      {...useFormSections()}
    >
      {(form) => <WorkspaceSections form={form} workspace={workspace} />}
    </RecordForm>
  );
}
