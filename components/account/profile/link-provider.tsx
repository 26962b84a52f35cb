'use client';

import { useQuery } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { beginFlow } from '../sign-in/provider-flow';

/** A button for each provider that does not open the account yet. */
export function LinkProvider({ linked }: { linked: string[] }) {
  const t = useTranslations('pages.provider');
  const tell = useTell();
  const [busy, setBusy] = useState<string>();
  const methods = useQuery({
    queryKey: ['auth-methods'],
    queryFn: async () => (await ready()).collection('users').listAuthMethods(),
  });
  const open = methods.data?.authProviders.filter(({ name }) => !linked.includes(name)) ?? [];

  async function go(provider: string, displayName: string) {
    setBusy(provider);
    try {
      await ready();
      await beginFlow({ mode: 'link', target: paths.profileTab('external-accounts'), provider });
    } catch (error) {
      setBusy(undefined);
      tell.failed(t('failed', { provider: displayName }), error);
    }
  }

  if (open.length === 0) return null;
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {open.map(({ name, displayName }) => (
        <Button key={name} isBusy={busy === name} onClick={() => void go(name, displayName)}>
          <Link2 className="size-4" aria-hidden="true" />
          {t('link', { provider: displayName })}
        </Button>
      ))}
    </div>
  );
}
