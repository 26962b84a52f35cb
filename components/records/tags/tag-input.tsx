'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { SuggestionList } from '@/components/ui/suggestion-list';
import { useTagInput, type TagInputState } from './use-tag-input';

interface TagInputProps extends TagInputState {
  id?: string;
  'aria-label'?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

/** Tags as chips in a field: Enter or a comma adds what was typed, Backspace takes the last one away. */
export function TagInput({ id, ...props }: TagInputProps) {
  const { value, isReadOnly = false } = props;
  const t = useTranslations('common.tags');
  const listId = useId();
  const input = useTagInput(props);
  return (
    <SuggestionList
      id={listId}
      label={t('suggestions')}
      isOpen={input.isShown}
      onOpenChange={input.setOpen}
      options={input.options}
      marked={input.at}
      onPick={(option) => input.add([option.value])}
    >
      <div
        data-field=""
        className="border-line-strong bg-surface text-table shadow-control has-aria-invalid:border-bad has-[input:disabled]:bg-sunken flex min-h-8 w-full min-w-0 flex-wrap items-center gap-1 rounded-md border px-1.5 py-[3px] max-lg:min-h-9"
      >
        {value.map((tag) => (
          <TagChip key={tag} tag={tag} onRemove={() => input.remove(tag)} />
        ))}
        <input
          id={id}
          aria-label={props['aria-label']}
          aria-describedby={props['aria-describedby']}
          aria-invalid={props['aria-invalid']}
          role="combobox"
          aria-expanded={input.isShown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={input.at >= 0 ? `${listId}-${input.at}` : undefined}
          data-path="tags"
          autoComplete="off"
          spellCheck={false}
          readOnly={isReadOnly}
          placeholder={value.length === 0 ? t('placeholder') : undefined}
          className="placeholder:text-text-3 h-6 min-w-28 flex-1 bg-transparent px-1 shadow-none focus-visible:shadow-none"
          {...input.field}
        />
        <span role="status" className="sr-only">
          {input.told}
        </span>
      </div>
    </SuggestionList>
  );
}

/** A tag in the field, and a cross that takes it away. */
function TagChip({ tag, onRemove }: { tag: string; onRemove: () => void }) {
  const t = useTranslations('common.tags');
  return (
    <span className="bg-sunken text-small ring-line text-text-2 inline-flex h-5 max-w-full items-center rounded-sm pl-1.5 ring-1 ring-inset max-lg:h-6">
      <span className="truncate">{tag}</span>
      <button
        type="button"
        aria-label={t('removeOne', { tag })}
        className="hover:text-text text-text-3 grid size-5 place-items-center rounded-sm disabled:hidden max-lg:size-6"
        onClick={onRemove}
      >
        <X className="size-3" aria-hidden="true" />
      </button>
    </span>
  );
}
