'use client';

import { Copy, Ellipsis, Files, Power, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactElement } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';

/** What the viewer may do with a template now; what is left out is not offered. */
export interface TemplateActs {
  name: string;
  /** The form of what is made from it. */
  useHref: string | undefined;
  /** The form of another template like it. */
  copyHref: string | undefined;
  change: 'enable' | 'disable' | undefined;
  onChange: (change: 'enable' | 'disable') => void;
  onDelete: (() => void) | undefined;
}

/** The acts of a template's page. */
export function TemplateHeadActions({ acts }: { acts: TemplateActs }) {
  const t = useTranslations('common.actions');
  return (
    <>
      {acts.useHref && (
        <Button asChild variant="primary">
          <Link href={acts.useHref}>
            <Copy className="size-4" aria-hidden="true" />
            {t('useTemplate')}
          </Link>
        </Button>
      )}
      <TemplateMenu
        acts={{ ...acts, useHref: undefined }}
        trigger={
          <IconButton variant="default" label={t('more')}>
            <Ellipsis className="size-4" />
          </IconButton>
        }
      />
    </>
  );
}

/** The acts of a template's row. */
export function TemplateRowActions({ acts }: { acts: TemplateActs }) {
  const t = useTranslations('common.actions');
  return (
    <span className="inline-flex justify-end gap-0.5 align-middle">
      {acts.useHref && (
        <Button asChild size="sm" className="max-sm:hidden">
          <Link href={acts.useHref} aria-label={t('useTemplateOf', { name: acts.name })}>
            {t('useTemplate')}
          </Link>
        </Button>
      )}
      <TemplateMenu
        acts={acts}
        trigger={
          <IconButton size="sm" label={t('moreOf', { name: acts.name })}>
            <Ellipsis className="size-4" />
          </IconButton>
        }
      />
    </span>
  );
}

function TemplateMenu({ acts, trigger }: { acts: TemplateActs; trigger: ReactElement }) {
  const t = useTranslations('common.actions');
  const { useHref, copyHref, change, onChange, onDelete } = acts;
  if (!useHref && !copyHref && !change && !onDelete) return null;
  return (
    <Menu trigger={trigger}>
      {useHref && (
        <MenuItem asChild>
          <Link href={useHref}>
            <Copy />
            {t('useTemplate')}
          </Link>
        </MenuItem>
      )}
      {copyHref && (
        <MenuItem asChild>
          <Link href={copyHref}>
            <Files />
            {t('duplicate')}
          </Link>
        </MenuItem>
      )}
      {change && (
        <MenuItem icon={<Power />} onSelect={() => onChange(change)}>
          {t(change)}
        </MenuItem>
      )}
      {onDelete && (
        <>
          <MenuLine />
          <MenuItem icon={<Trash2 />} isDanger onSelect={onDelete}>
            {t('delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
