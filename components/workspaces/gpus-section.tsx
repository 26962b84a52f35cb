'use client';

import { useTranslations } from 'next-intl';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useRecordIfAny } from '@/components/data/records';
import { FieldChange } from '@/components/records/field-change';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormField } from '@/components/records/form-field';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { FormSection } from '@/components/records/form-layout';
import { FieldError } from '@/components/ui/field';
import { AffixInput } from '@/components/ui/input';
import { Segmented } from '@/components/ui/segmented';
import { GpuCard } from './gpu-card';
import type { WorkspaceValues } from './workspace-schema';

interface GpusSectionProps {
  form: UseFormReturn<WorkspaceValues>;
  /** Of a workspace that is there: the cards that it holds are its own. */
  workspaceId?: string | undefined;
}

/** No cards, so many of any, or given ones, with who holds each. */
export function GpusSection({ form, workspaceId = '' }: GpusSectionProps) {
  const t = useTranslations('pages.workspaces.gpus');
  const isReadOnly = useIsReadOnly();
  const text = useProblemText();
  const [hostId, gpus] = useWatch({ control: form.control, name: ['host', 'gpus'] });
  const host = useRecordIfAny('hosts', hostId);
  const cards = host?.resources?.gpus ?? [];
  const offered = isReadOnly || cards.length > 0 || gpus.by === 'cards' ? (['cards'] as const) : [];
  const problems = listProblems({ gpus: form.formState.errors.gpus }).filter(({ path }) => path !== 'gpus.count');
  const hint = !host ? t('hostFirst') : cards.length > 0 ? t('there', { count: cards.length }) : t('unknown');
  return (
    <FormSection
      id="gpus"
      title={t('title')}
      aside={
        <Controller
          control={form.control}
          name="gpus.by"
          render={({ field }) => (
            <Segmented
              label={t('by')}
              value={field.value}
              onValueChange={(by) => {
                form.clearErrors('gpus');
                field.onChange(by);
              }}
              options={(['none', 'count', ...offered] as const).map((by) => ({ value: by, label: t(`kinds.${by}`) }))}
            />
          )}
        />
      }
    >
      {gpus.by === 'count' && (
        <div className="max-w-60">
          <FormField form={form} name="gpus.count" label={t('count')}>
            {(control) => (
              <AffixInput
                {...control}
                inputMode="numeric"
                autoComplete="off"
                placeholder="1"
                after={
                  cards.length > 0 && <span className="text-small text-text-3">{t('of', { count: cards.length })}</span>
                }
                {...form.register('gpus.count')}
              />
            )}
          </FormField>
        </div>
      )}
      {gpus.by === 'cards' && <GpuCards form={form} cards={cards} workspaceId={workspaceId} />}
      <div role="status" data-path="gpus" data-invalid={problems.length > 0 ? '' : undefined} tabIndex={-1}>
        {problems.map((problem) => (
          <FieldError key={problem.path}>{text(problem.message)}</FieldError>
        ))}
        {problems.length === 0 && <p className="text-small text-text-3">{hint}</p>}
      </div>
      <FieldChange name="gpus" wordsOf={() => t('changed')} />
    </FormSection>
  );
}

type Card = { uuid: string; model: string; memoryBytes: number; usedBy: string[] };

function GpuCards({ form, cards, workspaceId }: Required<GpusSectionProps> & { cards: Card[] }) {
  const t = useTranslations('pages.workspaces.gpus');
  const picked = useWatch({ control: form.control, name: 'gpus.uuids' });
  const gone = picked.filter((uuid) => !cards.some((card) => card.uuid === uuid));
  function toggle(uuid: string, isOn: boolean) {
    form.clearErrors('gpus');
    const rest = picked.filter((each) => each !== uuid);
    form.setValue('gpus.uuids', isOn ? [...rest, uuid] : rest, { shouldDirty: true });
  }
  return (
    <div role="group" aria-label={t('kinds.cards')} className="grid grid-cols-4 gap-2 max-sm:grid-cols-2">
      {cards.map((card, index) => (
        <GpuCard
          key={card.uuid}
          name={t('card', { index })}
          card={card}
          holders={card.usedBy.filter((id) => id !== workspaceId)}
          isPicked={picked.includes(card.uuid)}
          onToggle={(isOn) => toggle(card.uuid, isOn)}
        />
      ))}
      {gone.map((uuid) => (
        <GpuCard key={uuid} name={t('gone')} detail={uuid} holders={[]} isPicked onToggle={() => toggle(uuid, false)} />
      ))}
    </div>
  );
}
