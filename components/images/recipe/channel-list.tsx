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
  /** The field that the channels are kept in. */
  at: 'channels' | `environments.${number}.channels`;
  names: readonly string[];
  set: (names: string[]) => void;
  isUsed: (name: string) => boolean;
}

/** The conda channels of an environment, in the order in which they are asked. One that packages come from stays. */
export function EnvironmentChannels({ form, index }: { form: UseFormReturn<ImageValues>; index: number }) {
  const at = `environments.${index}` as const;
  const [channels, packages] = useWatch({ control: form.control, name: [`${at}.channels`, `${at}.packages`] });
  const set = (names: string[]) =>
    form.setValue(
      `${at}.channels`,
      names.map(
        (name) => channels.find((each) => each.name === name) ?? { name, isUserGenerated: !KNOWN.includes(name) },
      ),
      { shouldDirty: true, shouldValidate: form.formState.isSubmitted },
    );
  return (
    <ChannelList
      form={form}
      at={`${at}.channels`}
      names={channels.map(({ name }) => name)}
      set={set}
      isUsed={(name) => packages.some(({ manager, channel }) => manager === 'conda' && channel === name)}
    />
  );
}

/** The channels that every environment asks after its own. */
export function ImageChannels({ form }: { form: UseFormReturn<ImageValues> }) {
  const [channels, environments] = useWatch({ control: form.control, name: ['channels', 'environments'] });
  const isUsed = (name: string): boolean =>
    environments.some(
      ({ packages, channels: own }) =>
        !own.some((each) => each.name === name) &&
        packages.some(({ manager, channel }) => manager === 'conda' && channel === name),
    );
  return (
    <ChannelList
      form={form}
      at="channels"
      names={channels}
      set={(names) =>
        form.setValue('channels', names, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
      }
      isUsed={isUsed}
    />
  );
}

function ChannelList({ form, at, names, set, isUsed }: ChannelListProps) {
  const t = useTranslations(at === 'channels' ? 'pages.images.recipe.ofImage' : 'pages.images.recipe.ofEnvironment');
  const isReadOnly = useIsReadOnly();
  const text = useProblemText();
  const id = useId();
  const [typed, setTyped] = useState('');
  const own: unknown = get(form.formState.errors, at);
  const messages = [...new Set(listProblems({ channels: own as never }).map(({ message }) => text(message)))];

  function add() {
    const name = typed.trim();
    if (name === '') return;
    if (names.includes(name)) return form.setError(at, { type: 'twice', message: 'channelAlreadyAdded' });
    form.clearErrors(at);
    set([...names, name]);
    setTyped('');
  }
  function remove(name: string) {
    if (isUsed(name)) return form.setError(at, { type: 'used', message: 'channelInUse' });
    form.clearErrors(at);
    set(names.filter((each) => each !== name));
  }

  return (
    <div role="group" aria-labelledby={`${id}-label`} data-path={at}>
      <div id={`${id}-label`} className="text-table mb-1.5 leading-4 font-medium">
        {t('channels')}
      </div>
      <div className="text-table flex flex-wrap items-center gap-1.5">
        {names.length === 0 && <span className="text-text-2">{t('none')}</span>}
        {names.map((name, place) => (
          <span
            key={name}
            className="border-line-strong mono flex h-7 max-w-full items-center gap-1 rounded-md border pr-1 pl-2"
          >
            <span className="truncate">{name}</span>
            {!isReadOnly && place > 0 && (
              <ChipButton
                label={t('up', { name })}
                onClick={() => set([...names.slice(0, place - 1), name, names[place - 1]!, ...names.slice(place + 1)])}
              >
                <ArrowUp className="size-3.5" aria-hidden="true" />
              </ChipButton>
            )}
            {!isReadOnly && (
              <ChipButton label={t('remove', { name })} onClick={() => remove(name)}>
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
              aria-label={t('new')}
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
              {t('add')}
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
