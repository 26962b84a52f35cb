import type { ReactNode } from 'react';
import { IconTile } from '@/components/ui/parts';
import { TagLinks, type TagLinksProps } from './tags/record-tags';

interface DetailHeadProps {
  icon?: ReactNode;
  /** Of a person, instead of the icon. */
  portrait?: ReactNode;
  name: string;
  status: ReactNode;
  /** After the status: where it lives. */
  place?: ReactNode;
  tags?: TagLinksProps;
  actions?: ReactNode;
}

export function DetailHead({ icon, portrait, name, status, place, tags, actions }: DetailHeadProps) {
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-3 px-6 pt-[18px] pb-2.5 max-lg:px-4 max-lg:pt-3.5">
      {portrait ?? <IconTile size="lg">{icon}</IconTile>}
      <div className="min-w-0 flex-1">
        <h1 className="text-title truncate leading-6 font-semibold tracking-[-0.018em]">{name}</h1>
        <div className="mt-0.5 flex min-w-0 flex-wrap items-center gap-x-2.5">
          {status}
          {place}
          {tags && <TagLinks {...tags} />}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:has-[>:nth-child(2)]:w-full">{actions}</div>
    </div>
  );
}
