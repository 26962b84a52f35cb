'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { WorkspaceRecord } from '@/components/data/types';
import { TemplateCard } from '@/components/records/template-card';
import { useMayStart } from '@/components/records/use-may-create';
import { paths } from '@/lib/paths';
import { DeleteWorkspacesDialog } from './delete-workspaces-dialog';
import { WorkspaceTemplateRowActions } from './template-actions';
import { templateQuestion } from './template-question';
import { WorkspaceName } from './workspace-cells';

export function WorkspaceTemplateCard() {
  const t = useTranslations('pages.workspaces.templates');
  const mayStart = useMayStart();
  const [leaving, setLeaving] = useState<WorkspaceRecord>();
  return (
    <>
      <TemplateCard
        question={templateQuestion}
        title={t('title')}
        href={paths.workspaceTemplates}
        createHref={mayStart ? paths.workspaceTemplateCreate() : undefined}
        createLabel={t('new')}
        emptyText={mayStart ? t('empty.text') : t('empty.ask')}
        nameOf={(template) => <WorkspaceName workspace={template} />}
        actionsOf={(template) => (
          <WorkspaceTemplateRowActions template={template} onDelete={() => setLeaving(template)} />
        )}
      />
      {leaving && <DeleteWorkspacesDialog workspaces={[leaving]} onClose={() => setLeaving(undefined)} />}
    </>
  );
}
