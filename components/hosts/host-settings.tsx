'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { FormLayout, FormSection } from '@/components/records/form-layout';
import { applyProblems, focusFirstWrong, listProblems, useFieldError } from '@/components/records/form-problems';
import { SaveBar } from '@/components/records/save-bar';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { AffixInput, Input } from '@/components/ui/input';
import { Kbd } from '@/components/ui/parts';
import { limits } from '@/lib/vocabulary/limits';

const secondsSchema = z.number('mustBeNumber').min(0, 'mustBeNonNegative');
const hostSchema = z.object({
  name: z.string().trim().min(1, 'required').max(limits.nameLength),
  default_runtime: z.string().trim().min(1, 'required'),
  default_gpu_runtime: z.string().trim().min(1, 'required'),
  heartbeat_interval_seconds: z.number('mustBeNumber').min(1, 'atLeastOne'),
  reconciliation_interval_seconds: z.number('mustBeNumber').min(1, 'atLeastOne'),
  pull_timeout: secondsSchema,
  push_timeout: secondsSchema,
  build_timeout: secondsSchema,
});
type HostValues = z.infer<typeof hostSchema>;

const TIMES = [
  'heartbeat_interval_seconds',
  'reconciliation_interval_seconds',
  'pull_timeout',
  'push_timeout',
  'build_timeout',
] as const;

/** Basic information, runtimes, intervals and timeouts of a host. */
export function HostSettings({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.settings');
  const common = useTranslations('common');
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useForm<HostValues>({
    shouldFocusError: false,
    resolver: zodResolver(hostSchema),
    values: pick(host),
    resetOptions: { keepDirtyValues: true },
  });
  const errorOf = useFieldError(form);
  const canEdit = host.can?.['modify'] === true;
  const problems = listProblems(form.formState.errors);
  const isWrong = (paths: readonly string[]) => problems.some((problem) => paths.includes(problem.path));
  useUnsavedGuard(form.formState.isDirty);

  const save = form.handleSubmit(async (values) => {
    setMessages([]);
    try {
      await (await ready()).collection('hosts').update(host.id, values);
      form.reset(values);
      tell.done(common('told.saved', { name: values.name }));
      await refresh('hosts');
    } catch (error) {
      setMessages(applyProblems(form, error, common('errors.general')));
    }
  }, focusFirstWrong);

  return (
    <FormLayout
      indexLabel={common('form.index')}
      sections={[
        { id: 'basic', label: t('basic'), isWrong: isWrong(['name', 'default_runtime', 'default_gpu_runtime']) },
        { id: 'times', label: t('times'), isWrong: isWrong(TIMES) },
      ]}
      onSubmit={() => void save()}
      bar={
        canEdit && (
          <SaveBar
            problems={problems}
            labelOf={(path) => t(`fields.${path as keyof HostValues}`)}
            messages={messages}
            note={form.formState.isDirty ? common('form.unsaved') : undefined}
            actions={
              <>
                {form.formState.isDirty && (
                  <Button variant="ghost" onClick={() => form.reset(pick(host), { keepDirtyValues: false })}>
                    {common('actions.discard')}
                  </Button>
                )}
                <Button
                  type="submit"
                  variant="primary"
                  data-key-save=""
                  disabled={!form.formState.isDirty}
                  isBusy={form.formState.isSubmitting}
                >
                  {common('actions.save')}
                  <Kbd isOnAccent>⌘↵</Kbd>
                </Button>
              </>
            }
          />
        )
      }
    >
      <fieldset disabled={!canEdit} className="contents">
        <FormSection id="basic" title={t('basic')}>
          <Field label={t('fields.name')} error={errorOf('name')}>
            {(control) => <Input {...control} {...form.register('name')} />}
          </Field>
          <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
            <Field label={t('fields.default_runtime')} hint={t('runtimeHint')} error={errorOf('default_runtime')}>
              {(control) => <Input {...control} isMono {...form.register('default_runtime')} />}
            </Field>
            <Field
              label={t('fields.default_gpu_runtime')}
              hint={t('gpuRuntimeHint')}
              error={errorOf('default_gpu_runtime')}
            >
              {(control) => <Input {...control} isMono {...form.register('default_gpu_runtime')} />}
            </Field>
          </div>
        </FormSection>
        <FormSection id="times" title={t('times')} text={t('timesText')} isLast>
          <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
            {TIMES.map((name) => (
              <Field key={name} label={t(`fields.${name}`)} error={errorOf(name)}>
                {(control) => (
                  <AffixInput
                    {...control}
                    type="number"
                    min={0}
                    after={<span className="text-small text-text-3">{t('seconds')}</span>}
                    {...form.register(name, { valueAsNumber: true })}
                  />
                )}
              </Field>
            ))}
          </div>
        </FormSection>
      </fieldset>
    </FormLayout>
  );
}

function pick(host: HostRecord): HostValues {
  const { name, default_runtime, default_gpu_runtime, heartbeat_interval_seconds, reconciliation_interval_seconds } =
    host;
  const { pull_timeout, push_timeout, build_timeout } = host;
  return {
    name,
    default_runtime,
    default_gpu_runtime,
    heartbeat_interval_seconds,
    reconciliation_interval_seconds,
    pull_timeout,
    push_timeout,
    build_timeout,
  };
}
