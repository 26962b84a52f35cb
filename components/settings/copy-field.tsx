'use client';

import { useTranslations } from 'next-intl';
import { CopyButton } from '@/components/ui/copy-button';
import { Field } from '@/components/ui/field';
import { AffixInput } from '@/components/ui/input';

/** A text that is entered elsewhere. */
export function CopyField({ label, hint, text }: { label: string; hint?: string; text: string }) {
  const common = useTranslations('common.actions');
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <AffixInput
          {...control}
          isMono
          readOnly
          value={text}
          after={<CopyButton isIcon text={text} label={`${common('copy')}: ${label}`} copiedLabel={common('copied')} />}
        />
      )}
    </Field>
  );
}
