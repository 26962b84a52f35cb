'use client';

import { LogOut } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { endSession, ready } from '@/components/data/client';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';

/** Ends every log-in of the viewer, this one too. */
export function LogOutEverywhere() {
  const t = useTranslations('pages.security.sessions');
  const tell = useTell();
  const [isAsked, setAsked] = useState(false);

  async function leave() {
    try {
      await (await ready()).send('/api/session/everywhere', { method: 'DELETE' });
    } catch (error) {
      tell.failed(t('everywhereFailed'), error);
      return;
    }
    // The cookie and the token that are left here open nothing more.
    await endSession().catch(() => undefined);
    window.location.assign(paths.login());
  }
  return (
    <div>
      <Button variant="danger" onClick={() => setAsked(true)}>
        <LogOut className="size-4" aria-hidden="true" />
        {t('everywhere')}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={t('everywhereTitle')}
          text={t('everywhereText')}
          confirmLabel={t('everywhere')}
          onConfirm={leave}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  );
}
