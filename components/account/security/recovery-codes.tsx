'use client';

import { Download } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { CopyButton } from '@/components/ui/copy-button';
import { FieldError } from '@/components/ui/field';

interface RecoveryCodesProps {
  codes: string[];
  username: string;
  isSaved: boolean;
  /** Someone wanted to go on without having saved them. */
  isMissed: boolean;
  onSaved: (isSaved: boolean) => void;
}

/** New recovery codes, the one time that they are shown. */
export function RecoveryCodes({ codes, username, isSaved, isMissed, onSaved }: RecoveryCodesProps) {
  const t = useTranslations('pages.factor.codes');
  const common = useTranslations('common.actions');
  const id = useId();
  return (
    <div className="grid gap-3.5">
      <ul
        aria-label={t('label')}
        className="border-line bg-sunken grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-md border px-4 py-3 font-mono text-[13px] max-[360px]:grid-cols-1"
      >
        {codes.map((code) => (
          <li key={code} className="text-center whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label={common('copy')} copiedLabel={common('copied')} />
        <Button
          size="sm"
          onClick={() => download(t('file', { username, console: window.location.host, codes: codes.join('\n') }))}
        >
          <Download className="size-4" aria-hidden="true" />
          {t('download')}
        </Button>
      </div>
      <div>
        <div className="text-table flex items-center gap-2.5">
          <Checkbox
            id={id}
            checked={isSaved}
            aria-invalid={isMissed || undefined}
            aria-describedby={isMissed ? `${id}-missed` : undefined}
            onCheckedChange={(checked) => onSaved(checked === true)}
          />
          <label htmlFor={id} className="font-medium">
            {t('saved')}
          </label>
        </div>
        <div role="alert">{isMissed && <FieldError id={`${id}-missed`}>{t('saveFirst')}</FieldError>}</div>
      </div>
    </div>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `recovery-codes-${window.location.hostname}.txt`;
  link.click();
  URL.revokeObjectURL(url);
}
