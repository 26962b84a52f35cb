'use client';

import { useTranslations } from 'next-intl';
import type { ImageRecord, WorkspaceRecord } from '@/components/data/types';
import { initialsOf } from '@/components/records/format';
import { HostStatusLine, ImageStatusLine, WorkspaceStatusLine } from '@/components/records/resource-status';
import { WorkspaceIcon } from '@/components/records/workspace-icon';
import { IconTile } from '@/components/ui/parts';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { paths } from '@/lib/paths';
import { PaletteGroup, PaletteRow } from './palette-row';
import type { PaletteCommand } from './use-commands';
import type { FoundRecords } from './use-found-records';

interface ResultsProps {
  found: FoundRecords;
  search: string;
  subject: WorkspaceRecord | ImageRecord | undefined;
  actions: PaletteCommand[];
  onGo: (href: string) => void;
  onCommand: (command: PaletteCommand) => void;
}

/** The records found by name, by kind; the acts on the best one come after its kind. */
export function PaletteResults({ found, search, subject, actions, onGo, onCommand }: ResultsProps) {
  const t = useTranslations('layout');
  const acts = subject && actions.length > 0 && (
    <CommandGroup heading={t('palette.actionsOn', { name: subject.name })} commands={actions} onCommand={onCommand} />
  );
  return (
    <>
      {found.workspaces.length > 0 && (
        <PaletteGroup heading={search ? t('nav.workspaces') : t('palette.recent')}>
          {found.workspaces.map((workspace) => (
            <PaletteRow
              key={workspace.id}
              id={`workspaces:${workspace.id}`}
              icon={<WorkspaceIcon workspace={workspace} />}
              label={workspace.name}
              search={search}
              detail={workspace.expand?.host?.name}
              end={<WorkspaceStatusLine workspace={workspace} host={workspace.expand?.host} />}
              onSelect={() => onGo(paths.workspace(workspace.id))}
            />
          ))}
        </PaletteGroup>
      )}
      {subject?.collectionName === 'workspaces' && acts}
      {found.images.length > 0 && (
        <PaletteGroup heading={t('nav.images')}>
          {found.images.map((image) => (
            <PaletteRow
              key={image.id}
              id={`images:${image.id}`}
              icon={<IconTile>{initialsOf(image.name)}</IconTile>}
              label={image.name}
              search={search}
              detail={<span className="mono">{imageReference(image)}</span>}
              end={<ImageStatusLine image={image} />}
              onSelect={() => onGo(paths.image(image.id))}
            />
          ))}
        </PaletteGroup>
      )}
      {subject?.collectionName === 'images' && acts}
      {found.hosts.length > 0 && (
        <PaletteGroup heading={t('nav.hosts')}>
          {found.hosts.map((host) => (
            <PaletteRow
              key={host.id}
              id={`hosts:${host.id}`}
              icon={<IconTile>{initialsOf(host.name)}</IconTile>}
              label={host.name}
              search={search}
              end={<HostStatusLine host={host} />}
              onSelect={() => onGo(paths.host(host.id))}
            />
          ))}
        </PaletteGroup>
      )}
      {found.users.length > 0 && (
        <PaletteGroup heading={t('nav.users')}>
          {found.users.map((user) => (
            <PaletteRow
              key={user.id}
              id={`users:${user.id}`}
              icon={<IconTile>{initialsOf(user.name || user.username)}</IconTile>}
              label={user.name || user.username}
              search={search}
              detail={user.username}
              onSelect={() => onGo(paths.user(user.id))}
            />
          ))}
        </PaletteGroup>
      )}
      {found.others
        .filter(({ rows }) => rows.length > 0)
        .map(({ area, rows }) => (
          <PaletteGroup key={area} heading={t(`nav.${area}`)}>
            {rows.map((row) => (
              <PaletteRow
                key={row.id}
                id={`${area}:${row.id}`}
                icon={<IconTile>{initialsOf(row.name)}</IconTile>}
                label={row.name}
                search={search}
                detail={row.detail}
                onSelect={() => onGo(row.href)}
              />
            ))}
          </PaletteGroup>
        ))}
    </>
  );
}

interface CommandGroupProps {
  heading: string;
  commands: PaletteCommand[];
  search?: string;
  onCommand: (command: PaletteCommand) => void;
}

export function CommandGroup({ heading, commands, search, onCommand }: CommandGroupProps) {
  if (commands.length === 0) return null;
  return (
    <PaletteGroup heading={heading}>
      {commands.map((command) => (
        <PaletteRow
          key={command.id}
          id={command.id}
          icon={command.icon}
          label={command.label}
          {...(search ? { search } : {})}
          keys={command.keys}
          onSelect={() => onCommand(command)}
        />
      ))}
    </PaletteGroup>
  );
}
