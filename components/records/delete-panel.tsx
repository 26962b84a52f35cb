'use client';

import { useState, type ComponentProps } from 'react';
import { Button } from '@/components/ui/button';
import { Blockers, DeleteDialog, type DeleteBlocker } from './delete-dialog';

interface DeletePanelProps extends Omit<
  ComponentProps<typeof DeleteDialog>,
  'isOpen' | 'onOpenChange' | 'confirmLabel' | 'text'
> {
  heading: string;
  /** What a deletion means. */
  text: string;
  /** Why there is none while something is in the way. */
  usedText: string;
  button: string;
  /** What is in the way; undefined until that is known. */
  blockers: DeleteBlocker[] | undefined;
}

/** The end of a record's page: what stands in the way of its deletion, or the button that asks for its name. */
export function DeletePanel({ heading, text, usedText, button, blockers, ...dialog }: DeletePanelProps) {
  const [isOpen, setOpen] = useState(false);
  const isUsed = blockers !== undefined && blockers.length > 0;
  return (
    <div className="max-w-[660px]">
      <h2 className="font-semibold">{heading}</h2>
      <p className="text-table text-text-2 mt-1 mb-3">{isUsed ? usedText : text}</p>
      {isUsed ? (
        <Blockers blockers={blockers} />
      ) : (
        <Button variant="danger" disabled={!blockers} onClick={() => setOpen(true)}>
          {button}
        </Button>
      )}
      <DeleteDialog {...dialog} isOpen={isOpen && !isUsed} onOpenChange={setOpen} text={text} confirmLabel={button} />
    </div>
  );
}
