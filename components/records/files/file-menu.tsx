'use client';

import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useTell } from '@/components/data/use-tell';
import { IconButton } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Menu, MenuItem } from '@/components/ui/menu';
import { cleanPath } from './file-paths';
import type { FilePlace } from './file-place';
import { NameDialog } from './name-dialog';
import type { FileEntry } from './use-file-list';

interface FileMenuProps {
  place: FilePlace;
  path: string;
  /** As it is shown. */
  name: string;
  kind: FileEntry['kind'];
  onChanged: () => void;
}

/** What can be done to something in a folder. */
export function FileMenu({ place, path, name, kind, onChanged }: FileMenuProps) {
  const t = useTranslations('pages.containerFiles');
  const common = useTranslations('common.actions');
  const tell = useTell();
  const [asked, setAsked] = useState<'rename' | 'remove'>();
  const close = () => setAsked(undefined);

  async function send(body: object) {
    await (await ready()).send(`${place.api}/change`, { method: 'POST', body, requestKey: null });
    onChanged();
  }

  async function remove() {
    try {
      await send({ act: 'remove', path });
      tell.done(t('removed', { name }));
    } catch (error) {
      tell.failed(t('notRemoved', { name }), error);
    }
  }

  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={t('more', { name })}>
            <EllipsisVertical className="size-4" />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil />} onSelect={() => setAsked('rename')}>
          {t('rename')}
        </MenuItem>
        <MenuItem icon={<Trash2 />} isDanger onSelect={() => setAsked('remove')}>
          {common('delete')}
        </MenuItem>
      </Menu>
      {asked === 'rename' && (
        <NameDialog
          title={t('renameTitle', { name })}
          label={t('newName')}
          hint={t('moveHint')}
          begins={path.slice(folder.length)}
          button={t('rename')}
          mayBePath
          onName={(next) => send({ act: 'move', path, to: next.startsWith('/') ? cleanPath(next) : folder + next })}
          onClose={close}
        />
      )}
      {asked === 'remove' && (
        <ConfirmDialog
          title={t('removeTitle', { name })}
          text={kind === 'folder' ? t('removeFolderText') : t('removeText')}
          confirmLabel={common('delete')}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </>
  );
}
