'use client';

import dynamic from 'next/dynamic';
import type { ComponentProps } from 'react';
import type { PermissionsEditor as Editor } from './permissions-editor';
import type { DetailTab } from './record-detail';

const PermissionsEditor = dynamic(() => import('./permissions-editor').then((module) => module.PermissionsEditor));

interface SharedRecord {
  id: string;
  created_by: string;
  can?: Record<string, boolean>;
}

/** The tab on which a record is shared; only those who may share it have it. */
export function permissionsTab(
  record: SharedRecord,
  { label, ...editor }: { label: string } & Omit<ComponentProps<typeof Editor>, 'resourceId' | 'creatorId'>,
): DetailTab {
  return {
    value: 'permissions',
    label,
    shownIf: record.can?.['share'] === true,
    look: 'fill',
    panel: () => <PermissionsEditor {...editor} resourceId={record.id} creatorId={record.created_by} />,
  };
}
