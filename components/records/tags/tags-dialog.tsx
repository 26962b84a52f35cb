'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { CollectionName } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { useProblemText } from '../form-problems';
import { TagInput } from './tag-input';

export interface TaggedRow {
  id: string;
  name: string;
  tags: string[];
}

interface TagsDialogProps {
  collection: CollectionName;
  rows: TaggedRow[];
  onClose: () => void;
}

const SIDES = ['add', 'remove'] as const;
type Side = (typeof SIDES)[number];

/** Puts tags on several records and takes others away, and tells what came of it. */
export function TagsDialog({ collection, rows, onClose }: TagsDialogProps) {
  const t = useTranslations('common.tags');
  const common = useTranslations('common.actions');
  const tell = useTell();
  const refresh = useRefresh();
  const problemText = useProblemText();
  const [chosen, setChosen] = useState<Record<Side, string[]>>({ add: [], remove: [] });
  const [problems, setProblems] = useState<Partial<Record<Side, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const carried = [...new Set(rows.flatMap(({ tags }) => tags))].sort();
  const [typed, setTyped] = useState<Record<Side, string>>({ add: '', remove: '' });
  const isTyped = SIDES.some((side) => typed[side].trim() !== '');
  const isNothing = !isTyped && SIDES.every((side) => chosen[side].length === 0);

  async function save() {
    // What still stands in a field was no tag when the field was left: it says so itself.
    if (isTyped) return;
    setBusy(true);
    const body = { 'tags+': chosen.add, 'tags-': chosen.remove };
    const records = (await ready()).collection(collection);
    const results = await Promise.allSettled(rows.map(({ id }) => records.update(id, body)));
    const outcome = (isDone: boolean) => rows.filter((_, index) => (results[index]?.status === 'fulfilled') === isDone);
    const [done, failed] = [outcome(true), outcome(false)];
    const refusal = results.find((result) => result.status === 'rejected');
    if (done.length > 0) tell.done(t('changed', { count: done.length, name: done[0]?.name ?? '' }));
    if (refusal) tell.failed(t('notChanged', { count: failed.length, name: failed[0]?.name ?? '' }), refusal.reason);
    await refresh(collection);
    onClose();
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('dialog', { count: rows.length, name: rows[0]?.name ?? '' })}
      closeLabel={common('close')}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button variant="primary" data-key-save="" isBusy={isBusy} disabled={isNothing} onClick={() => void save()}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5">
        {SIDES.map((side) => (
          <Field key={side} label={t(side)} error={problemText(problems[side])}>
            {(control) => (
              <TagInput
                {...control}
                value={chosen[side]}
                {...(side === 'remove' && { only: carried })}
                onTextChange={(text) => setTyped((before) => ({ ...before, [side]: text }))}
                onChange={(tags) => setChosen((before) => ({ ...before, [side]: tags }))}
                onProblem={(problem) =>
                  setProblems(({ [side]: _, ...rest }) => (problem ? { ...rest, [side]: problem } : rest))
                }
              />
            )}
          </Field>
        ))}
      </div>
    </Dialog>
  );
}
