'use client';

import { Copy } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useRecordCount } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Popover } from '@/components/ui/popover';
import { RecordPickerList } from './record-picker';

const USABLE = 'template = true && enabled = true';

interface StartFromTemplateProps {
  collection: 'workspaces' | 'images';
  /** The field that names the host of a template. */
  host: 'host' | 'build_on';
  label: string;
  searchLabel: string;
  hrefOf: (id: string) => string;
}

interface Template {
  id: string;
  name: string;
  expand?: Partial<Record<'host' | 'build_on', HostRecord>>;
}

/** Leads to the same form, filled from a template. Not there where there is none. */
export function StartFromTemplate({ collection, host, label, searchLabel, hrefOf }: StartFromTemplateProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const count = useRecordCount(collection, USABLE) ?? 0;
  if (count === 0) return null;
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      align="end"
      label={searchLabel}
      className="w-72 overflow-hidden"
      trigger={
        <Button>
          <Copy className="size-4" aria-hidden="true" />
          {label}
        </Button>
      }
    >
      <RecordPickerList
        choices={{
          collection,
          searchFields: ['name'],
          filter: USABLE,
          expand: host,
          toOption: (template: Template) => ({
            value: template.id,
            text: template.name,
            detail: template.expand?.[host]?.name,
          }),
        }}
        value=""
        searchLabel={searchLabel}
        onPick={(id) => {
          setOpen(false);
          router.push(hrefOf(id));
        }}
      />
    </Popover>
  );
}
