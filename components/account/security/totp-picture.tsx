'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { CopyButton } from '@/components/ui/copy-button';
import { Skeleton } from '@/components/ui/parts';
import type { NewTotp } from './factor-calls';

/** A key for an authenticator app: as a picture to scan, and in groups of four to type. */
export function TotpPicture({ totp }: { totp: NewTotp }) {
  const t = useTranslations('pages.factor.app');
  const picture = useCodePicture(totp.uri);
  return (
    <div className="grid justify-items-center gap-3">
      <p className="text-table justify-self-start font-medium">{t('scan')}</p>
      {picture ? (
        <img src={picture} alt={t('picture')} width={184} height={184} className="rounded-md" />
      ) : (
        <Skeleton className="size-[184px]!" />
      )}
      <div className="w-full">
        <p className="text-small text-text-3 mb-1">{t('key')}</p>
        <div className="border-line bg-sunken flex items-center gap-2 rounded-md border py-1.5 pr-1.5 pl-3">
          <code className="text-table min-w-0 flex-1 font-mono break-words">
            {totp.secret.match(/.{1,4}/g)?.join(' ')}
          </code>
          <CopyButton isIcon text={totp.secret} label={t('copyKey')} copiedLabel={t('copyKey')} />
        </div>
      </div>
    </div>
  );
}

/** The picture of a text; undefined until it is drawn. */
function useCodePicture(text: string): string | undefined {
  const [drawn, setDrawn] = useState<{ text: string; url: string }>();
  useEffect(() => {
    let isGone = false;
    const show = (url: string) => !isGone && setDrawn({ text, url });
    // The key below it does as well, where no picture can be drawn.
    drawCode(text).then(show, () => undefined);
    return () => {
      isGone = true;
    };
  }, [text]);
  return drawn?.text === text ? drawn.url : undefined;
}

/** Black on white whatever the theme: cameras read nothing else as surely. */
async function drawCode(text: string): Promise<string> {
  const { toString } = await import('qrcode');
  const svg = await toString(text, { type: 'svg', margin: 3, errorCorrectionLevel: 'M' });
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}
