'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { LogAddress } from './log-address';
import { LOG_SPANS, toIso, toLocalText } from './log-span';

interface LogSpanPickerProps {
  address: Pick<LogAddress, 'span' | 'from' | 'to'>;
  onChange: (part: Pick<LogAddress, 'span' | 'from' | 'to'>) => void;
}

const HOUR_MS = 60 * 60_000;

/** Which stretch of the log is shown: up to now, or from one moment to another. */
export function LogSpanPicker({ address, onChange }: LogSpanPickerProps) {
  const t = useTranslations('pages.workspaces.logs');
  const { span, from, to } = address;
  function pick(value: string) {
    const next = LOG_SPANS.find((each) => each === value) ?? 'all';
    if (next !== 'range') return onChange({ span: next, from: '', to: '' });
    const now = Date.now();
    onChange({ span: next, from: new Date(now - HOUR_MS).toISOString(), to: new Date(now).toISOString() });
  }
  return (
    <>
      <Select
        size="sm"
        className="w-32"
        aria-label={t('span')}
        value={span}
        onValueChange={pick}
        options={LOG_SPANS.map((each) => ({ value: each, label: t(`spans.${each}`) }))}
      />
      {span === 'range' && <Range from={from} to={to} onChange={onChange} />}
    </>
  );
}

function Range({ from, to, onChange }: { from: string; to: string; onChange: LogSpanPickerProps['onChange'] }) {
  const t = useTranslations('pages.workspaces.logs');
  const [draft, setDraft] = useState({ from: toLocalText(from), to: toLocalText(to) });
  const isBackwards = draft.from !== '' && draft.to !== '' && draft.from > draft.to;
  /** Once a moment is whole: what is half typed loads nothing. */
  function apply() {
    const next = { from: toIso(draft.from), to: toIso(draft.to) };
    const isSame = draft.from === toLocalText(from) && draft.to === toLocalText(to);
    if (!isBackwards && !isSame) onChange({ span: 'range', ...next });
  }
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      {(['from', 'to'] as const).map((end) => (
        <Input
          key={end}
          size="sm"
          type="datetime-local"
          step={1}
          className="w-[204px]!"
          aria-label={t(`range.${end}`)}
          aria-invalid={isBackwards || undefined}
          value={draft[end]}
          onChange={(event) => setDraft({ ...draft, [end]: event.target.value })}
          onBlur={apply}
        />
      ))}
      <button type="submit" className="sr-only">
        {t('range.show')}
      </button>
      {isBackwards && (
        <span role="alert" className="text-small text-bad-text">
          {t('range.backwards')}
        </span>
      )}
    </form>
  );
}
