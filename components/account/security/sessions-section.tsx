'use client';

import { Monitor, Smartphone, SquareTerminal } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useTell } from '@/components/data/use-tell';
import { Age } from '@/components/records/age';
import { FormSection } from '@/components/records/form-layout';
import { Button } from '@/components/ui/button';
import { Tag } from '@/components/ui/parts';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Loaded } from '@/components/records/loaded';
import { LogOutEverywhere } from './log-out-everywhere';
import { NoRows, Row, Rows } from '@/components/ui/rows';
import { ofUser, useRefreshSecurity, useSessions, type SessionEntry, type Whose } from './security-queries';
import { useDeviceWords } from './use-device-words';

/** Browsers that are logged in with an account, this one first. */
export function SessionsSection({ whose }: { whose?: Whose }) {
  const t = useTranslations('pages.security.sessions');
  const sessions = useSessions(whose);
  const [ending, setEnding] = useState<SessionEntry>();
  return (
    <FormSection id="sessions" title={t(whose ? 'theirTitle' : 'title')} text={t(whose ? 'theirText' : 'text')}>
      <Loaded query={sessions}>
        {({ items }) =>
          items.length === 0 ? (
            <NoRows>{t('empty')}</NoRows>
          ) : (
            <Rows label={t(whose ? 'theirTitle' : 'title')}>
              {[...items]
                .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
                .map((session) => (
                  <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
                ))}
            </Rows>
          )
        }
      </Loaded>
      {!whose && <LogOutEverywhere />}
      {ending && <EndSession session={ending} whose={whose} onClose={() => setEnding(undefined)} />}
    </FormSection>
  );
}

function SessionRow({ session, onEnd }: { session: SessionEntry; onEnd: () => void }) {
  const t = useTranslations('pages.security.sessions');
  const { words, system, isHandheld } = useDeviceWords()(session.userAgent);
  return (
    <Row
      icon={isHandheld ? <Smartphone /> : system ? <Monitor /> : <SquareTerminal />}
      name={<span title={session.userAgent}>{words}</span>}
      marks={session.isCurrent && <Tag tone="accent">{t('here')}</Tag>}
      detail={
        <>
          <span>{session.address || t('noAddress')}</span>
          <span>{t.rich('active', { age: () => <Age at={session.lastUsed} /> })}</span>
          <span>{t.rich('since', { age: () => <Age at={session.created} /> })}</span>
        </>
      }
      actions={
        !session.isCurrent && (
          <Button size="sm" aria-label={t('endOf', { device: words })} onClick={onEnd}>
            {t('end')}
          </Button>
        )
      }
    />
  );
}

function EndSession({ session, whose, onClose }: { session: SessionEntry; whose: Whose; onClose: () => void }) {
  const t = useTranslations('pages.security.sessions');
  const tell = useTell();
  const refresh = useRefreshSecurity();
  const device = useDeviceWords()(session.userAgent).words;

  async function end() {
    try {
      await (await ready()).send(`/api/sessions/${session.id}`, { method: 'DELETE', ...ofUser(whose) });
      tell.done(t('ended', { device }));
    } catch (error) {
      tell.failed(t('failed'), error);
    }
    await refresh();
  }
  return (
    <ConfirmDialog
      title={t('endTitle')}
      text={t('endText', { device })}
      confirmLabel={t('end')}
      onConfirm={end}
      onClose={onClose}
    />
  );
}
