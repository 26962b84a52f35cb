'use client';

import { useTranslations } from 'next-intl';
import { Choice } from '@/components/ui/choice';
import { RadioList } from '@/components/ui/radio-list';
import type { RedeployOptions, RedeployOrder } from '@/lib/vocabulary/redeploy';
import type { StopFirst } from './use-changes';
import { useResourceNames } from './use-resource-names';

interface RedeployChoicesProps {
  options: RedeployOptions;
  onChange: (options: RedeployOptions) => void;
  /** What speaks for stopping the old container first. */
  reasons: StopFirst[];
  /** Offered only where it makes sense. */
  canPull: boolean;
}

/** What is best as long as nobody has chosen. */
export function usualOrder(reasons: readonly StopFirst[]): RedeployOrder {
  return reasons.length > 0 ? 'stop-first' : 'start-first';
}

/** How one workspace is redeployed, with what speaks for either way. */
export function RedeployChoices({ options, onChange, reasons, canPull }: RedeployChoicesProps) {
  const t = useTranslations('pages.workspaces.redeploy');
  const names = useResourceNames(reasons.map(({ values }) => ({ field: 'volumes', from: values, to: null })));
  const listOf = (reason: StopFirst['reason']) =>
    (reasons.find((each) => each.reason === reason)?.values ?? []).map((value) => names.get(value) ?? value).join(', ');
  const fixed = listOf('fixedPorts');
  const picked = listOf('pickedPorts');
  const why = reasons.map(({ reason }) => t(`because.${reason}`, { values: listOf(reason) }));
  const order = options.order || usualOrder(reasons);
  return (
    <div className="grid gap-3">
      <RadioList<RedeployOrder>
        label={t('order')}
        value={fixed ? 'stop-first' : order}
        onChange={(next) => onChange({ ...options, order: next })}
        options={[
          {
            value: 'start-first',
            label: t('startFirst'),
            text: fixed
              ? t('notBeside', { values: fixed })
              : [t('startFirstText'), picked && t('portChanges', { values: picked })].filter(Boolean).join(' '),
            isDisabled: fixed !== '',
          },
          { value: 'stop-first', label: t('stopFirst'), text: [t('stopFirstText'), ...why].join(' ') },
        ]}
      />
      {canPull && <PullChoice options={options} onChange={onChange} />}
    </div>
  );
}

const MANY = ['usual', 'start-first', 'stop-first'] as const;

/** How several workspaces are redeployed. */
export function RedeployManyChoices({ options, onChange, canPull }: Omit<RedeployChoicesProps, 'reasons'>) {
  const t = useTranslations('pages.workspaces.redeploy');
  const words = {
    usual: [t('usual'), t('usualText')],
    'start-first': [t('startFirst'), t('startFirstMany')],
    'stop-first': [t('stopFirst'), t('stopFirstText')],
  } as const;
  return (
    <div className="grid gap-3">
      <RadioList<(typeof MANY)[number]>
        label={t('order')}
        value={options.order || 'usual'}
        onChange={(next) => onChange({ ...options, order: next === 'usual' ? '' : next })}
        options={MANY.map((value) => ({ value, label: words[value][0], text: words[value][1] }))}
      />
      {canPull && <PullChoice options={options} onChange={onChange} />}
    </div>
  );
}

function PullChoice({ options, onChange }: Pick<RedeployChoicesProps, 'options' | 'onChange'>) {
  const t = useTranslations('pages.workspaces.redeploy');
  return (
    <Choice
      label={t('pull')}
      hint={t('pullHint')}
      checked={options.pull}
      onChange={(pull) => onChange({ ...options, pull })}
    />
  );
}
