'use client';

import { ArrowUp, Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { get, useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { ImageValues } from '../image-schema';

/** Offered where nothing is typed. */
const KNOWN = ['conda-forge', 'bioconda', 'pytorch', 'nvidia'];

interface ChannelListProps {
  form: UseFormReturn<ImageValues>;
  index: number;
}

/** The conda channels of an environment, in the order in which they are asked. One that packages come from stays. */
export function ChannelList({ form, index }: ChannelListProps) {
  const t = useTranslations('pages.images.recipe');
  const isReadOnly = useIsReadOnly();
  const text = useProblemText();
  const id = useId();
  const [typed, setTyped] = useState('');
  const at = `environments.${index}` as const;
  const [channels, packages] = useWatch({ control: form.control, name: [`${at}.channels`, `${at}.packages`] });
  const own: unknown = get(form.formState.errors, `${at}.channels`);
  const messages = [...new Set(listProblems({ channels: own as never }).map(({ message }) => text(message)))];
  const set = (next: typeof channels) =>
    form.setValue(`${at}.channels`, next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });

  function add() {
    const name = typed.trim();
    if (name === '') return;
    if (channels.some((channel) => channel.name === name))
      return form.setError(`${at}.channels`, { type: 'twice', message: 'channelAlreadyAdded' });
    form.clearErrors(`${at}.channels`);
    set([...channels, { name, isUserGenerated: !KNOWN.includes(name) }]);
    setTyped('');
  }
  function remove(name: string) {
    if (packages.some(({ manager, channel }) => manager === 'conda' && channel === name))
      return form.setError(`${at}.channels`, { type: 'used', message: 'channelInUse' });
    form.clearErrors(`${at}.channels`);
    set(channels.filter((channel) => channel.name !== name));
  }

  return (
    <div role="group" aria-labelledby={`${id}-label`} data-path={`${at}.channels`}>
      <div id={`${id}-label`} className="text-table mb-1.5 leading-4 font-medium">
        {t('channels')}
      </div>
      <div className="text-table flex flex-wrap items-center gap-1.5">
        {channels.length === 0 && <span className="text-text-2">{t('noChannels')}</span>}
        {channels.map(({ name }, place) => (
          <span
            key={name}
            className="border-line-strong mono flex h-7 max-w-full items-center gap-1 rounded-md border pr-1 pl-2"
          >
            <span className="truncate">{name}</span>
            {!isReadOnly && place > 0 && (
              <ChipButton
                label={t('channelUp', { name })}
                onClick={() =>
                  set([
                    ...channels.slice(0, place - 1),
                    channels[place]!,
                    channels[place - 1]!,
                    ...channels.slice(place + 1),
                  ])
                }
              >
                <ArrowUp className="size-3.5" aria-hidden="true" />
              </ChipButton>
            )}
            {!isReadOnly && (
              <ChipButton label={t('removeChannel', { name })} onClick={() => remove(name)}>
                <X className="size-3.5" aria-hidden="true" />
              </ChipButton>
            )}
          </span>
        ))}
        {!isReadOnly && (
          <span className="flex items-center gap-1.5">
            <Input
              size="sm"
              isMono
              aria-label={t('newChannel')}
              placeholder="conda-forge"
              list={`${id}-known`}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.metaKey || event.ctrlKey) return;
                event.preventDefault();
                add();
              }}
            />
            <datalist id={`${id}-known`}>
              {KNOWN.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <Button variant="ghost" size="sm" onClick={add}>
              <Plus className="size-4" aria-hidden="true" />
              {t('addChannel')}
            </Button>
          </span>
        )}
      </div>
      {messages.map((message) => (
        <FieldError key={message}>{message}</FieldError>
      ))}
    </div>
  );
}

function ChipButton({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="text-text-3 hover:text-text hover:bg-hover rounded-sm p-0.5"
      onClick={onClick}
    >
      {children}
    </button>
  );
}
