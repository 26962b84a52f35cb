'use client';

import { KeySquare, Plus } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { dateMs } from '@/components/data/dates';
import { useNow } from '@/components/data/use-now';
import { useTell } from '@/components/data/use-tell';
import { Age } from '@/components/records/age';
import { FormSection } from '@/components/records/form-layout';
import { Button } from '@/components/ui/button';
import { Tag } from '@/components/ui/parts';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Loaded } from '@/components/records/loaded';
import { NewTokenDialog } from './new-token-dialog';
import { NoRows, Row, Rows } from '@/components/ui/rows';
import { ofUser, useApiTokens, useRefreshSecurity, type ApiTokenEntry, type Whose } from './security-queries';

const DAY_MS = 86_400_000;
const SOON_DAYS = 7;

/** Tokens for scripts: one's own are made here, those of others only revoked. */
export function ApiTokensSection({ whose }: { whose?: Whose }) {
  const t = useTranslations('pages.security.tokens');
  const tokens = useApiTokens(whose);
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiTokenEntry>();
  return (
    <FormSection id="api-tokens" title={t('title')} text={t(whose ? 'theirText' : 'text')} isLast>
      <Loaded query={tokens}>
        {({ items }) =>
          items.length === 0 ? (
            <NoRows>{t(whose ? 'theirEmpty' : 'empty')}</NoRows>
          ) : (
            <Rows label={t('title')}>
              {items.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {!whose && (
        <div>
          <Button onClick={() => setMaking(true)}>
            <Plus className="size-4" aria-hidden="true" />
            {t('make')}
          </Button>
        </div>
      )}
      {isMaking && <NewTokenDialog onClose={() => setMaking(false)} />}
      {revoking && <Revoke token={revoking} whose={whose} onClose={() => setRevoking(undefined)} />}
    </FormSection>
  );
}

function TokenRow({ token, onRevoke }: { token: ApiTokenEntry; onRevoke: () => void }) {
  const t = useTranslations('pages.security.tokens');
  const age = () => <Age at={token.lastUsed} />;
  return (
    <Row
      icon={<KeySquare />}
      name={token.name}
      marks={
        <>
          <Tag>{t(`scopes.${token.scope}`)}</Tag>
          <ExpiryTag expires={token.expires} />
        </>
      }
      detail={
        <>
          <span className="font-mono">{`berth_…${token.hint}`}</span>
          <span>{t.rich('made', { age: () => <Age at={token.created} /> })}</span>
          <ExpiryText expires={token.expires} />
          <span>
            {token.lastUsed === ''
              ? t('unused')
              : token.lastAddress
                ? t.rich('used', { age, address: token.lastAddress })
                : t.rich('usedNowhere', { age })}
          </span>
        </>
      }
      actions={
        <Button size="sm" aria-label={t('revokeOf', { name: token.name })} onClick={onRevoke}>
          {t('revoke')}
        </Button>
      }
    />
  );
}

function ExpiryTag({ expires }: { expires: string }) {
  const t = useTranslations('pages.security.tokens');
  const leftMs = (dateMs(expires) ?? Infinity) - useNow();
  if (leftMs <= 0) return <Tag tone="bad">{t('expired')}</Tag>;
  if (leftMs > SOON_DAYS * DAY_MS) return null;
  return <Tag tone="warn">{t('expiresSoon', { days: Math.ceil(leftMs / DAY_MS) })}</Tag>;
}

function ExpiryText({ expires }: { expires: string }) {
  const t = useTranslations('pages.security.tokens');
  const format = useFormatter();
  const ms = dateMs(expires);
  if (ms === undefined) return <span>{t('neverExpires')}</span>;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return <span>{t('expires', { date: format.dateTime(ms, { dateStyle: 'medium', timeZone }) })}</span>;
}

function Revoke({ token, whose, onClose }: { token: ApiTokenEntry; whose: Whose; onClose: () => void }) {
  const t = useTranslations('pages.security.tokens');
  const tell = useTell();
  const refresh = useRefreshSecurity();
  const { id, name } = token;

  async function revoke() {
    try {
      await (await ready()).send(`/api/tokens/${id}`, { method: 'DELETE', ...ofUser(whose) });
      tell.done(t('revoked', { name }));
    } catch (error) {
      tell.failed(t('failed', { name }), error);
    }
    await refresh();
  }
  return (
    <ConfirmDialog
      title={t('revokeTitle', { name })}
      text={t('revokeText')}
      confirmLabel={t('revoke')}
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
