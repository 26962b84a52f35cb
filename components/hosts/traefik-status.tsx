'use client';

import { useServerWords } from '@/components/data/server-words';
import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { HostRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { Notice } from '@/components/ui/notice';

/** How the Traefik does that Berth runs on the host; nothing where it runs none. */
export function TraefikStatus({ host: { traefikState: state } }: { host: HostRecord }) {
  const say = useServerWords();
  const t = useTranslations('pages.hosts.traefik.status');
  return (
    <div role="status" className="grid gap-1.5 empty:hidden">
      {state && (
        <>
          <Notice tone={toneOf(state.status)} icon={iconOf(state.status)}>
            <span className="font-medium">{t(state.status)}</span>{' '}
            <span className="text-text-2">
              {t.rich('since', { age: () => <Age at={state.since} /> })}
              {state.image !== '' && <span className="mono"> {state.image}</span>}
            </span>
            {state.message !== '' && <span className="block break-words">{say(state.message)}</span>}
          </Notice>
        </>
      )}
    </div>
  );
}

type Status = NonNullable<HostRecord['traefikState']>['status'];

function toneOf(status: Status): 'accent' | 'busy' | 'bad' {
  if (status === 'running') return 'accent';
  return status === 'error' || status === 'unsupported' ? 'bad' : 'busy';
}

function iconOf(status: Status) {
  if (status === 'running') return <CircleCheck aria-hidden="true" />;
  if (status === 'error' || status === 'unsupported') return <TriangleAlert aria-hidden="true" />;
  return <LoaderCircle aria-hidden="true" />;
}
