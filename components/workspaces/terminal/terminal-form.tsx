'use client';

import { SquareTerminal } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState, type FormEvent } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { limits } from '@/lib/vocabulary/limits';

export interface TerminalWish {
  command: string;
  user: string;
  workdir: string;
}

const FIELDS = [
  { name: 'command', hint: 'commandHint', max: limits.terminalCommandLength },
  { name: 'user', hint: 'userHint', max: 256 },
  { name: 'workdir', hint: 'workdirHint', max: limits.pathLength },
] as const;

/** Asks what is to run, as whom and where; nothing needs to be said. */
export function TerminalForm({ name, onOpen }: { name: string; onOpen: (wish: TerminalWish) => void }) {
  const t = useTranslations('pages.terminal.ask');
  const [wish, setWish] = useState<TerminalWish>({ command: '', user: '', workdir: '' });
  function open(event: FormEvent) {
    event.preventDefault();
    onOpen(wish);
  }
  return (
    <form onSubmit={open} className="grid w-full max-w-[520px] gap-4 self-start px-6 py-5 max-lg:px-4">
      <div>
        <h2 className="text-lead font-semibold">{t('title')}</h2>
        <p className="text-table text-text-2 mt-1">{t('text', { name })}</p>
      </div>
      {FIELDS.map(({ name: field, hint, max }) => (
        <Field key={field} label={t(field)} note={t('optional')} hint={t(hint)}>
          {(control) => (
            <Input
              {...control}
              isMono
              autoFocus={field === 'command'}
              autoCapitalize="off"
              spellCheck={false}
              maxLength={max}
              value={wish[field]}
              onChange={(event) => setWish({ ...wish, [field]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <div>
        <Button type="submit" variant="primary">
          <SquareTerminal className="size-4" />
          {t('open')}
        </Button>
      </div>
    </form>
  );
}
