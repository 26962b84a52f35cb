'use client';

import clsx from 'clsx';
import { FileUp } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { readTextFile } from './text-file';

interface FileChoiceProps {
  label: string;
  hint: string;
  mostBytes: number;
  /** The text is undefined where the file is too long or no text. */
  onChoose: (text: string | undefined, name: string) => void;
  children?: ReactNode;
}

/** A file of text to choose, or to drop on what is inside. */
export function FileChoice({ label, hint, mostBytes, onChoose, children }: FileChoiceProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  async function load(file: File | undefined) {
    if (file) onChoose(await readTextFile(file, mostBytes), file.name);
  }
  return (
    <div
      className={clsx('rounded-md', isOver && 'shadow-(--focus-ring)')}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(false);
        void load(event.dataTransfer.files[0]);
      }}
    >
      <input
        id={id}
        type="file"
        className="peer sr-only"
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          void load(event.target.files?.[0]);
          // The same file can be chosen again once it was put right.
          event.target.value = '';
        }}
      />
      <label
        htmlFor={id}
        className="rounded-ctl border-line-strong text-table shadow-control hover:bg-sunken inline-flex h-7 cursor-pointer items-center gap-1.5 border px-[9px] font-medium peer-focus-visible:shadow-(--focus-ring) max-lg:h-9"
      >
        <FileUp className="size-4" aria-hidden="true" />
        {label}
      </label>
      <span id={`${id}-hint`} className="text-small text-text-3 ml-2">
        {hint}
      </span>
      {children}
    </div>
  );
}
