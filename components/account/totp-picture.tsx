'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { CopyButton } from '@/components/ui/copy-button';
import { Skeleton } from '@/components/ui/parts';
import type { NewTotp } from './factor-calls';

/** A key for an authenticator app: as a picture to scan, and in groups of four to type. */
export function TotpPicture({ totp }: { totp: NewTotp }) {
  const t = useTranslations('pages.factor.app');
  const picture = useQuery({
    queryKey: ['qr-code', totp.uri],
    queryFn: () => drawCode(totp.uri),
    gcTime: 0,
  });
  return (
    <div className="grid justify-items-center gap-3">
      <p className="text-table justify-self-start font-medium">{t('scan')}</p>
      {picture.data ? (
        <img src={picture.data} alt={t('picture')} width={184} height={184} className="rounded-md" />
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

/** Black on white whatever the theme: cameras read nothing else as surely. */
async function drawCode(text: string): Promise<string> {
  const { toString } = await import('qrcode');
  const svg = await toString(text, { type: 'svg', margin: 3, errorCorrectionLevel: 'M' });
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}
