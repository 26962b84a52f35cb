'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRefresh } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/parts';
import { useChangeWords, type SettingChange } from './change-words';
import { requestWorkspace } from '@/components/records/use-workspace-actions';

interface RedeployDialogProps {
  workspace: WorkspaceRecord;
  changes: SettingChange[];
  onClose: () => void;
}

/** What runs now beside what will run. */
export function RedeployDialog({ workspace, changes, onClose }: RedeployDialogProps) {
  const t = useTranslations('pages.workspaces.changed');
  const asked = useTranslations('common.asked.workspace');
  const common = useTranslations('common');
  const words = useChangeWords();
  const tell = useTell();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);

  async function redeploy() {
    setBusy(true);
    try {
      await requestWorkspace(workspace.id, 'redeploy');
      tell.done(asked('redeploy', { count: 1, name: workspace.name }));
      onClose();
      await refresh('workspaces', 'deployments');
    } catch (error) {
      tell.failed(common('errors.failed'), error);
    } finally {
      setBusy(false);
    }
  }

  const cell = 'border-t border-l border-line px-3 py-2 align-top first:border-l-0';
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      width="lg"
      title={t('dialogTitle', { name: workspace.name })}
      description={t('dialogText', { count: changes.length })}
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button variant="primary" data-key-save="" isBusy={isBusy} onClick={() => void redeploy()}>
            {common('actions.redeploy')}
            <Kbd isOnAccent>⌘↵</Kbd>
          </Button>
        </>
      }
    >
      <div className="border-line-strong overflow-x-auto rounded-md border">
        <table className="text-table w-full table-fixed border-collapse max-sm:min-w-[460px]">
          <thead>
            <tr className="bg-sunken text-small text-text-3 text-left">
              <th className="w-[170px] px-3 py-[5px] font-medium max-sm:w-[120px]">{t('setting')}</th>
              <th className="border-line border-l px-3 py-[5px] font-medium">{t('now')}</th>
              <th className="border-line border-l px-3 py-[5px] font-medium">{t('then')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={change.field}>
                <th scope="row" className={`${cell} text-left font-medium first-letter:uppercase`}>
                  {words.field(change.field)}
                </th>
                <td className={cell}>
                  <del className="bg-bad-soft text-bad-text rounded-[4px] box-decoration-clone px-[5px] py-px break-words whitespace-pre-wrap no-underline">
                    {words.value(change.field, change.from, change.to)}
                  </del>
                </td>
                <td className={cell}>
                  <ins className="bg-ok-soft text-ok-text rounded-[4px] box-decoration-clone px-[5px] py-px break-words whitespace-pre-wrap no-underline">
                    {words.value(change.field, change.to, change.from)}
                  </ins>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-small text-text-3 mt-3">{t('swap')}</p>
    </Dialog>
  );
}
