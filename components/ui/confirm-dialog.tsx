'use client';

import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';

interface ConfirmDialogProps {
  title: string;
  text: string;
  confirmLabel: string;
  /** Tells by itself when it fails. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /** What it is about, below the text. */
  children?: ReactNode;
}

/** Asks once before something ends. */
export function ConfirmDialog({ title, text, confirmLabel, onConfirm, onClose, children }: ConfirmDialogProps) {
  const common = useTranslations('common.actions');
  const [isBusy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      onClose();
    }
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      closeLabel={common('close')}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button variant="dangerSolid" isBusy={isBusy} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="text-table">{text}</p>
        {children}
      </div>
    </Dialog>
  );
}
