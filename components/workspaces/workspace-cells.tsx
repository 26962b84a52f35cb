'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { WorkspaceRecord } from '@/components/data/types';
import { WorkspaceIcon } from '@/components/records/workspace-icon';
import { Tag } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { imageReference } from '@/lib/vocabulary/image-reference';

const TimeMark = dynamic(() => import('./times/time-mark').then((module) => module.TimeMark));

/** The icon and the name of a row, which leads to its page. */
export function WorkspaceName({ workspace }: { workspace: WorkspaceRecord }) {
  const common = useTranslations('common');
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <WorkspaceIcon workspace={workspace} />
      <Link
        href={paths.workspace(workspace.id)}
        data-key-open=""
        className="text-text truncate rounded-sm font-medium hover:underline"
      >
        {workspace.name}
      </Link>
      {!workspace.enabled && <Tag>{common('disabled')}</Tag>}
      {(workspace.warnedAt !== '' || workspace.deletesAt !== '') && <TimeMark workspace={workspace} />}
    </span>
  );
}

/** The image of a row. */
export function ImageCell({ workspace }: { workspace: WorkspaceRecord }) {
  const image = workspace.expand?.image;
  if (!image) return '–';
  return (
    <span className="mono" title={imageReference(image)}>
      {imageReference(image)}
    </span>
  );
}
