'use client';

import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { useServerWords } from '@/components/data/server-words';
import type { HostRecord } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { limits } from '@/lib/vocabulary/limits';
import { useMaintenance } from './use-maintenance';

interface MaintenanceDialogProps {
  host: HostRecord;
  /** Whether it is to end. */
  isEnd: boolean;
  onClose: () => void;
}

/** Asks why nothing new is to be begun on a host and what comes of what runs there, or ends that. */
export function MaintenanceDialog({ host, isEnd, onClose }: MaintenanceDialogProps) {
  const t = useTranslations('pages.hosts.maintenance');
  const common = useTranslations('common');
  const say = useServerWords();
  const { state, change } = useMaintenance(host);
  const [reason, setReason] = useState(host.maintenance?.reason ?? '');
  const [isChecked, setChecked] = useState(isEnd);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const count = isEnd ? state?.stopped : state?.running;
  const isAsked = isChecked && count !== 0;

  async function confirm() {
    if (!isEnd && reason.trim() === '') return setProblem(common('problems.required'));
    setBusy(true);
    const refused = await change(isEnd ? { startWorkspaces: isAsked } : { reason, stopWorkspaces: isAsked });
    setBusy(false);
    if (refused === undefined) onClose();
    else setProblem(say(refused));
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t(isEnd ? 'endTitle' : 'title', { name: host.name })}
      description={t(isEnd ? 'endText' : 'text')}
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button variant="primary" isBusy={isBusy} onClick={() => void confirm()}>
            {t(isEnd ? 'endConfirm' : host.maintenance ? 'save' : 'confirm')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5">
        {!isEnd && (
          <Reason
            value={reason}
            problem={problem}
            onChange={(value) => {
              setProblem(undefined);
              setReason(value);
            }}
          />
        )}
        <Choice
          label={count === undefined ? t('unknown') : t(isEnd ? 'start' : 'stop', { count })}
          text={count === 0 ? '' : t(isEnd ? 'startText' : 'stopText')}
          checked={isAsked}
          isDisabled={!count}
          onChange={setChecked}
        />
      </div>
    </Dialog>
  );
}

interface ReasonProps {
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

function Reason({ value, problem, onChange }: ReasonProps) {
  const t = useTranslations('pages.hosts.maintenance');
  return (
    <Field label={t('reason')} error={problem} hint={t('reasonHint')}>
      {(control) => (
        <Input
          {...control}
          maxLength={limits.maintenanceReasonLength}
          placeholder={t('reasonExample')}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface ChoiceProps {
  label: string;
  text: string;
  checked: boolean;
  isDisabled: boolean;
  onChange: (checked: boolean) => void;
}

function Choice({ label, text, checked, isDisabled, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="text-table flex gap-2.5">
      <Checkbox
        id={id}
        className="mt-0.5"
        disabled={isDisabled}
        checked={checked}
        aria-describedby={text ? `${id}-text` : undefined}
        onCheckedChange={(next) => onChange(next === true)}
      />
      <div>
        <label htmlFor={id} className="block font-medium">
          {label}
        </label>
        {text && (
          <span id={`${id}-text`} className="text-small text-text-2">
            {text}
          </span>
        )}
      </div>
    </div>
  );
}
