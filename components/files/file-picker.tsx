'use client';

import clsx from 'clsx';
import { FileText, Upload, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState, type DragEvent } from 'react';
import { useFormats } from '@/components/records/use-formats';
import { useIsReadOnly } from '@/components/records/form-access';
import { IconButton } from '@/components/ui/button';

interface FilePickerProps {
  id?: string;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
  file: File | undefined;
  /** Name of the file that is there already. */
  stored: string;
  onPick: (file: File | undefined) => void;
}

/** A file, chosen or dropped. */
export function FilePicker({ file, stored, onPick, ...control }: FilePickerProps) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.files');
  const isReadOnly = useIsReadOnly();
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped && !isReadOnly) onPick(dropped);
  }

  return (
    <div
      data-field=""
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={clsx(
        'border-line-control flex min-h-[52px] flex-wrap items-center gap-2.5 rounded-md border border-dashed px-3 py-2',
        isOver && 'bg-accent-soft',
      )}
    >
      <FileText className="text-text-3 size-4 shrink-0" aria-hidden="true" />
      <span className="text-table min-w-0 flex-1 truncate">
        {file ? (
          <>
            {file.name} <span className="text-text-3">{bytes(file.size)}</span>
          </>
        ) : (
          <span className={stored ? '' : 'text-text-3'}>{stored || t('dropHere')}</span>
        )}
      </span>
      {file && (
        <IconButton
          size="sm"
          label={t('takeBack')}
          onClick={() => {
            onPick(undefined);
            input.current?.focus();
          }}
        >
          <X className="size-3.5" />
        </IconButton>
      )}
      <input
        {...control}
        ref={input}
        type="file"
        disabled={isReadOnly}
        className="peer sr-only"
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          // The same file can be chosen again after it was taken back.
          event.target.value = '';
          if (chosen) onPick(chosen);
        }}
      />
      {!isReadOnly && (
        <label
          htmlFor={control.id}
          className="rounded-ctl border-line-strong text-table shadow-control hover:bg-sunken inline-flex h-7 cursor-pointer items-center gap-1.5 border px-[9px] font-medium peer-focus-visible:shadow-(--focus-ring)"
        >
          <Upload className="size-3.5" aria-hidden="true" />
          {file || stored ? t('chooseOther') : t('choose')}
        </label>
      )}
    </div>
  );
}
