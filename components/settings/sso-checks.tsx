'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { FormSection } from '@/components/records/form-layout';
import { Button } from '@/components/ui/button';
import { Glyph } from '@/components/ui/glyph';

interface Check {
  part: 'authorization' | 'token' | 'userInfo' | 'clock';
  state: 'ok' | 'warn' | 'bad';
  code: string;
  detail: string;
}

const glyphs = { ok: 'done', warn: 'warn', bad: 'bad' } as const;

interface SsoChecksProps {
  /** The form as the API takes it. */
  read: () => unknown;
  /** The form itself is wrong, so there is nothing to try. */
  onRefused: (error: unknown) => void;
}

/** Tries the provider and says of each part what was found and what to do. */
export function SsoChecks({ read, onRefused }: SsoChecksProps) {
  const t = useTranslations('pages.settings.sso');
  const [checks, setChecks] = useState<Check[]>();
  const [isBusy, setBusy] = useState(false);

  async function run() {
    setBusy(true);
    setChecks(undefined);
    try {
      const options = { method: 'POST', body: read() as Record<string, unknown> };
      setChecks((await (await ready()).send<{ checks: Check[] }>('/api/console/check-sso', options)).checks);
    } catch (error) {
      onRefused(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormSection id="try" title={t('try')} text={t('tryText')} isLast>
      <div>
        <Button isBusy={isBusy} onClick={() => void run()}>
          {t('run')}
        </Button>
      </div>
      <div role="status" className="text-table">
        {isBusy && <span className="text-text-3">{t('running')}</span>}
        {checks && (
          <ul aria-label={t('results')} className="border-line-strong divide-line divide-y rounded-md border">
            {checks.map((check) => (
              <li key={check.part} className="flex items-start gap-2.5 px-3 py-2.5">
                <Glyph kind={glyphs[check.state]} className="mt-[3px] shrink-0" />
                <div className="min-w-0">
                  <span className="font-medium">{t(`parts.${check.part}`)}</span>
                  <p className="text-text-2 break-words">
                    {t(`checks.${check.code as 'tls'}`, { detail: check.detail || '–' })}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
    </FormSection>
  );
}
