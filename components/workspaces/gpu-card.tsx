'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { useRecordIfAny } from '@/components/data/records';
import { useFormats } from '@/components/records/use-formats';
import { PersonAvatar } from '@/components/records/person';
import { Checkbox } from '@/components/ui/checkbox';

interface GpuCardProps {
  name: string;
  card?: { model: string; memoryBytes: number };
  /** Instead of what the card is. */
  detail?: string;
  /** Ids of the other workspaces that hold it. */
  holders: string[];
  isPicked: boolean;
  onToggle: (isPicked: boolean) => void;
}

/** A card of a host to pick. One that another workspace holds can only be let go. */
export function GpuCard({ name, card, detail, holders, isPicked, onToggle }: GpuCardProps) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.workspaces.gpus');
  const [holder] = holders;
  const isTaken = holder !== undefined && !isPicked;
  return (
    <label
      className={clsx(
        'rounded-card relative grid min-w-0 gap-1 border px-2.5 py-2',
        isTaken ? 'border-line bg-sunken' : 'border-line-strong cursor-pointer',
        isPicked && 'border-accent bg-accent-soft',
      )}
    >
      <span className="text-table flex items-center justify-between gap-2 font-medium">
        {name}
        <Checkbox
          className={clsx(isTaken && 'invisible')}
          disabled={isTaken}
          checked={isPicked}
          onCheckedChange={(checked) => onToggle(checked === true)}
        />
      </span>
      <span className="text-small text-text-2 truncate" title={detail}>
        {detail ?? (card && `${card.model}, ${bytes(card.memoryBytes)}`)}
      </span>
      <span className="text-small text-text-3 flex min-w-0 items-center gap-1.5">
        {holder ? <Holder id={holder} /> : isPicked ? t('picked') : t('free')}
      </span>
    </label>
  );
}

function Holder({ id }: { id: string }) {
  const t = useTranslations('pages.workspaces.gpus');
  const workspace = useRecordIfAny('workspaces', id, 'created_by');
  const owner = workspace?.expand?.created_by;
  return (
    <>
      {owner && <PersonAvatar user={owner} size="sm" />}
      <span className="truncate">{workspace?.name ?? t('other')}</span>
    </>
  );
}
