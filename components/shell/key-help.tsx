'use client';

import { useTranslations } from 'next-intl';
import { Dialog } from '@/components/ui/dialog';
import { useModKey } from '@/components/ui/mod-kbd';
import { Kbd } from '@/components/ui/parts';
import type { GoItem } from './shortcuts';

const MOD = 'mod';
const helpRows = [
  { keys: ['c'], key: 'create' },
  { keys: ['/'], key: 'search' },
  { keys: [MOD, 'K'], key: 'palette' },
  { keys: ['j', 'k'], key: 'rows' },
  { keys: ['↵'], key: 'open' },
  { keys: ['x'], key: 'select' },
  { keys: ['b'], key: 'batch' },
  { keys: [MOD, '↵'], key: 'save' },
  { keys: ['?'], key: 'help' },
] as const;

/** The keys of the whole console. */
export function KeyHelp({ goItems, onClose }: { goItems: GoItem[]; onClose: () => void }) {
  const t = useTranslations('layout.keys');
  const common = useTranslations('common');
  return (
    <Dialog isOpen onOpenChange={onClose} title={t('title')} closeLabel={common('actions.close')}>
      <dl className="text-table grid grid-cols-[1fr_auto] gap-y-2">
        {goItems.map((item) => (
          <KeyRow key={item.name} text={t(item.name)} keys={['g', item.key]} />
        ))}
        {helpRows.map((row) => (
          <KeyRow key={row.key} text={t(row.key)} keys={row.keys} />
        ))}
      </dl>
    </Dialog>
  );
}

function KeyRow({ text, keys }: { text: string; keys: readonly string[] }) {
  const mod = useModKey();
  const shown = keys.map((key) => (key === MOD ? mod : key));
  return (
    <div className="contents">
      <dt className="text-text-2">{text}</dt>
      <dd className="flex gap-1">
        <span className="sr-only">{shown.join(' ')}</span>
        {shown.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </dd>
    </div>
  );
}
