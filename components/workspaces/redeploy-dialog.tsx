'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRefresh } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ModKbd } from '@/components/ui/mod-kbd';
import { Skeleton } from '@/components/ui/parts';
import { BuildChoice } from './build-choice';
import { Differences } from './differences';
import { RedeployChoices, usualOrder } from './redeploy-choices';
import { useRedeployPreview } from './use-changes';
import { AS_USUAL } from '@/lib/vocabulary/redeploy';
import { requestWorkspace } from '@/components/records/use-workspace-actions';

interface RedeployDialogProps {
  workspace: WorkspaceRecord;
  onClose: () => void;
}

/** Says what a redeploy does before it is asked: a new container, and what runs now beside what will run. */
export function RedeployDialog({ workspace, onClose }: RedeployDialogProps) {
  const t = useTranslations('pages.workspaces.changed');
  const asked = useTranslations('common.asked.workspace');
  const common = useTranslations('common');
  const inVain = useTranslations('common.askedInVain.workspace');
  const { data, isLoading } = useRedeployPreview(workspace);
  const { changed: changes, stopFirst, canPull } = data ?? { changed: [], stopFirst: [], canPull: false };
  const tell = useTell();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const [options, setOptions] = useState(AS_USUAL);

  const isOtherBuild = options.build !== undefined && options.build !== workspace.imageBuild;

  async function redeploy() {
    setBusy(true);
    try {
      const isFixed = stopFirst.some(({ isNecessary }) => isNecessary);
      const order = isFixed ? 'stop-first' : options.order || usualOrder(stopFirst);
      await requestWorkspace(workspace.id, 'redeploy', { options: { ...options, order } });
      tell.done(asked('redeploy', { count: 1, name: workspace.name }));
      onClose();
      await refresh('workspaces', 'deployments');
    } catch (error) {
      tell.failed(inVain('redeploy', { count: 1, name: workspace.name }), error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      width="lg"
      title={t('dialogTitle', { name: workspace.name })}
      description={
        isLoading
          ? undefined
          : isOtherBuild && changes.length === 0
            ? t('dialogOtherBuild')
            : t('dialogText', { count: changes.length })
      }
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button
            variant="primary"
            data-key-save=""
            isBusy={isBusy}
            disabled={isLoading}
            onClick={() => void redeploy()}
          >
            {common('actions.redeploy')}
            <ModKbd letter="↵" isOnAccent />
          </Button>
        </>
      }
    >
      {isLoading && <Skeleton className="h-16 w-full" />}
      {changes.length > 0 && <Differences changes={changes} from={t('now')} to={t('then')} />}
      {!isLoading && (
        <div className="grid gap-3 not-first:mt-4">
          <BuildChoice workspace={workspace} options={options} onChange={setOptions} />
          <RedeployChoices options={options} onChange={setOptions} reasons={stopFirst} canPull={canPull} />
          <p className="text-small text-text-3">{t('lost')}</p>
        </div>
      )}
    </Dialog>
  );
}
