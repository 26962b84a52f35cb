'use client';

import { useTranslations } from 'next-intl';
import { useId, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { FieldError } from '@/components/ui/field';
import { ProofField } from './proof-field';
import type { ProofState } from './use-proof';

interface ProofDialogProps {
  title: string;
  text: ReactNode;
  proof: ProofState;
  submitLabel: string;
  isDanger?: boolean;
  isBusy: boolean;
  failure: string | undefined;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  /** Fields before the proof's. */
  children?: ReactNode;
}

/** Asks for the proof that something about an account's security needs. */
export function ProofDialog(props: ProofDialogProps) {
  const { title, text, proof, submitLabel, isDanger, isBusy, failure, onSubmit, onClose, children } = props;
  const common = useTranslations('common.actions');
  const formId = useId();
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      closeLabel={common('close')}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" form={formId} variant={isDanger ? 'dangerSolid' : 'primary'} isBusy={isBusy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <div className="text-table grid gap-1.5">{text}</div>
        {children}
        <ProofField proof={proof} isFirst={!children} />
        <div role="alert" className="empty:hidden">
          {failure && <FieldError>{failure}</FieldError>}
        </div>
      </form>
    </Dialog>
  );
}
