'use client';

import { FileInput } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { limits } from '@/lib/vocabulary/limits';
import { FileChoice } from './file-choice';

/** Puts the text of a file into the editor, in place of what is there. */
export function DockerfileButton({ onTake }: { onTake: (text: string) => void }) {
  const t = useTranslations('pages.images.carry');
  const common = useTranslations('common.actions');
  const [text, setText] = useState<string>();
  const [isUnreadable, setUnreadable] = useState(false);
  const close = () => setText(undefined);
  return (
    <>
      <Button size="sm" onClick={() => setText('')}>
        <FileInput className="size-4" aria-hidden="true" />
        {t('open')}
      </Button>
      <Dialog
        isOpen={text !== undefined}
        onOpenChange={close}
        title={t('dockerfileTitle')}
        closeLabel={common('close')}
        actions={
          <>
            <Button onClick={close}>{common('cancel')}</Button>
            <Button
              variant="primary"
              data-key-save=""
              disabled={!text?.trim()}
              onClick={() => {
                onTake(text ?? '');
                close();
              }}
            >
              {t('replaceDockerfile')}
            </Button>
          </>
        }
      >
        <FileChoice
          label={t('choose')}
          hint={t('dockerfileHint')}
          mostBytes={limits.dockerfileBytes}
          onChoose={(chosen) => {
            setUnreadable(chosen === undefined);
            setText(chosen ?? '');
          }}
        >
          <div className="mt-3">
            <Field label={t('text')} error={isUnreadable ? t('notTextDockerfile') : undefined}>
              {(control) => (
                <Textarea
                  {...control}
                  isMono
                  autoFocus
                  rows={10}
                  spellCheck={false}
                  value={text ?? ''}
                  onChange={(event) => {
                    setUnreadable(false);
                    setText(event.target.value);
                  }}
                />
              )}
            </Field>
          </div>
        </FileChoice>
      </Dialog>
    </>
  );
}
