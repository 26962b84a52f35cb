'use client';

import { useTranslations } from 'next-intl';
import type { WorkspaceRecord } from '@/components/data/types';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { BasicsSection } from './basics-section';
import { EnvironmentSection } from './environment-section';
import { useFormSections } from './form-sections';
import { PortsSection } from './ports-section';
import { StartSection } from './start-section';
import { toBody, toValues, workspaceSchema } from './workspace-schema';

/** What is set; takes effect with the next deployment. */
export function WorkspaceSettings({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces');
  return (
    <RecordForm
      source={useRecordSource('workspaces', workspace)}
      schema={workspaceSchema}
      toValues={toValues}
      toBody={toBody}
      nameOf={(saved) => saved.name}
      savedHint={workspace.status === 'running' ? t('nextDeploy') : undefined}
      canEdit={workspace.can?.['modify'] === true}
      {...useFormSections()}
    >
      {(form) => (
        <>
          <BasicsSection form={form} isHostFixed />
          <PortsSection form={form} />
          <EnvironmentSection form={form} />
          <StartSection form={form} />
        </>
      )}
    </RecordForm>
  );
}
