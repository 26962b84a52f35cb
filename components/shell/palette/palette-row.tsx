'use client';

import { Command } from 'cmdk';
import { Fragment, type ReactNode } from 'react';
import { Kbd } from '@/components/ui/parts';

interface PaletteRowProps {
  id: string;
  icon: ReactNode;
  label: string;
  /** What was typed, marked in the label. */
  search?: string;
  detail?: ReactNode;
  /** At the right end. */
  end?: ReactNode;
  keys?: string[] | undefined;
  onSelect: () => void;
}

export function PaletteRow({ id, icon, label, search = '', detail, end, keys, onSelect }: PaletteRowProps) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="text-table data-[selected=true]:bg-active rounded-ctl [&>svg]:text-text-3 flex min-h-9 cursor-pointer items-center gap-2.5 px-2.5 max-lg:min-h-10 [&>svg]:size-4"
    >
      {icon}
      <span className="min-w-0 shrink truncate font-medium">
        <Marked text={label} search={search} />
      </span>
      {detail && <span className="text-text-3 min-w-0 truncate max-sm:hidden">{detail}</span>}
      <span className="ml-auto flex max-w-[45%] min-w-24 shrink-0 items-center justify-end gap-1 pl-2">
        {end}
        {keys?.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </span>
    </Command.Item>
  );
}

function Marked({ text, search }: { text: string; search: string }) {
  const at = search ? text.toLowerCase().indexOf(search.toLowerCase()) : -1;
  if (at < 0) return text;
  const end = at + search.length;
  return (
    <Fragment>
      {text.slice(0, at)}
      <span className="text-accent-text">{text.slice(at, end)}</span>
      {text.slice(end)}
    </Fragment>
  );
}

export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:text-text-3 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium"
    >
      {children}
    </Command.Group>
  );
}
