'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { Segmented } from '@/components/ui/segmented';
import { Select } from '@/components/ui/select';
import { LIST_FILE_BYTES, LIST_FILES } from '@/lib/vocabulary/list-files';
import { FileChoice } from './file-choice';
import { ImportPreview } from './import-preview';
import { mergeLists, type Lists } from './merge-lists';
import { useReadLists } from './use-read-lists';

interface ImportDialogProps {
  present: Lists;
  onTake: (lists: Lists) => void;
  onClose: () => void;
}

const AUTO = 'auto';

/** A file of another tool, what of it is taken, and what an image can't hold. */
export function ImportDialog({ present, onTake, onClose }: ImportDialogProps) {
  const t = useTranslations('pages.images.carry');
  const common = useTranslations('common');
  const [text, setText] = useState('');
  const [file, setFile] = useState('');
  const [kind, setKind] = useState<string>(AUTO);
  const [name, setName] = useState(present.environments[0]?.name || 'main');
  const [way, setWay] = useState<'add' | 'replace'>('add');
  const [isUnreadable, setUnreadable] = useState(false);
  const { read, error, refusal } = useReadLists(text, kind === AUTO ? file : kind);
  const asksName = read?.environments.some((each) => each.name === '' && each.packages.length > 0);
  const isNamed = !asksName || /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name);
  const count = (read?.environments ?? []).reduce((sum, { packages }) => sum + packages.length, 0);
  const isEmpty = !read || (count === 0 && read.baseImage === '' && read.startupCommands.length === 0);

  function take() {
    if (!read) return;
    const environments = read.environments.filter(({ packages, channels }) => packages.length + channels.length > 0);
    onTake(mergeLists(present, { ...read, environments }, { name, isReplaced: way === 'replace' }));
    onClose();
  }
  const problem = isUnreadable ? t('notText') : error ? (refusal ?? common('errors.general')) : undefined;
  return (
    <Dialog
      isOpen
      width="lg"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title')}
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button variant="primary" data-key-save="" disabled={isEmpty || !isNamed} onClick={take}>
            {count > 0 ? t('take', { count }) : t('takeRest')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5">
        <FileChoice
          label={t('choose')}
          hint={t('hint')}
          mostBytes={LIST_FILE_BYTES}
          onChoose={(chosen, called) => {
            setUnreadable(chosen === undefined);
            setText(chosen ?? '');
            setFile(chosen === undefined ? '' : called);
            setKind(AUTO);
          }}
        >
          <div className="mt-3">
            <Field label={t('text')} error={problem}>
              {(control) => (
                <Textarea
                  {...control}
                  isMono
                  autoFocus
                  rows={7}
                  spellCheck={false}
                  placeholder={'numpy>=2\npandas'}
                  value={text}
                  onChange={(event) => {
                    setUnreadable(false);
                    // Another text than that of the file.
                    if (text === '') setFile('');
                    setText(event.target.value);
                  }}
                />
              )}
            </Field>
          </div>
        </FileChoice>
        <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
          <Field label={t('kind')}>
            {(control) => (
              <Select
                {...control}
                className="w-full"
                value={kind}
                onValueChange={setKind}
                options={[
                  { value: AUTO, label: read && kind === AUTO ? t('autoIs', { kind: read.kind }) : t('auto') },
                  ...LIST_FILES.map((value) => ({ value, label: value })),
                ]}
              />
            )}
          </Field>
          {asksName && (
            <Field label={t('environment')} error={isNamed ? undefined : t('badName')}>
              {(control) => (
                <Input {...control} isMono value={name} onChange={(event) => setName(event.target.value)} />
              )}
            </Field>
          )}
        </div>
        {read && <ImportPreview read={read} name={name} />}
        {!isEmpty && present.environments.length > 0 && (
          <Segmented
            size="md"
            label={t('way')}
            value={way}
            onValueChange={setWay}
            options={(['add', 'replace'] as const).map((value) => ({ value, label: t(`ways.${value}`) }))}
          />
        )}
      </div>
    </Dialog>
  );
}
