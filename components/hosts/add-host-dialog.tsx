'use client';

import { useMutation } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { ready } from '@/components/data/client';
import { messageOf } from '@/components/data/problems';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { Segmented } from '@/components/ui/segmented';
import { Switch } from '@/components/ui/switch';
import { limits } from '@/lib/vocabulary/limits';
import { paths } from '@/lib/paths';
import { HostArrival } from './host-arrival';
import {
  bringCommand,
  consoleAddress,
  isLoopback,
  isPlain,
  isPulled,
  JOIN_WAYS,
  joinCommand,
  type JoinOffer,
  type JoinWay,
} from './join-command';
import { useArrivedHost } from './use-arrived-host';

interface JoinToken {
  token: string;
  expiresAt: string;
  expiresInSeconds: number;
}

/** Three steps: name it, run one command there, wait until it calls. */
export function AddHostDialog({ offer, onClose }: { offer: JoinOffer; onClose: () => void }) {
  const t = useTranslations('pages.hosts.adding');
  const common = useTranslations('common');
  const [name, setName] = useState('');
  const [way, setWay] = useState<JoinWay>('docker');
  const [isReusable, setReusable] = useState(false);
  const [askedAtMs, setAskedAtMs] = useState(0);
  const make = useMutation({
    mutationFn: async (): Promise<JoinToken> =>
      (await ready()).send<JoinToken>('/api/hosts/join-token', {
        method: 'POST',
        body: { name: name.trim(), reusable: isReusable },
      }),
    onSuccess: () => setAskedAtMs(Date.now()),
  });
  const token = make.data;
  const { agentImage, consoleKey } = offer;
  // The server draws nothing of a dialog, and has no address that the viewer came by.
  const here = typeof window === 'undefined' ? offer.publicUrl : window.location.origin;
  const consoleUrl = consoleAddress(offer.publicUrl, here);
  const host = useArrivedHost(token ? name.trim() : '', askedAtMs);
  const isNameFit = /^[\w][\w.-]*$/.test(name.trim());

  function change(apply: () => void) {
    apply();
    make.reset();
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title')}
      description={t('text')}
      closeLabel={common('actions.close')}
      width="md"
      footNote={host ? t('next') : token ? t('mayClose') : undefined}
      actions={
        <>
          {host ? (
            <Button asChild>
              <Link href={paths.host(host.id, 'permissions')}>{t('permissions')}</Link>
            </Button>
          ) : (
            <Button onClick={onClose}>{common('actions.close')}</Button>
          )}
          {host ? (
            <Button asChild variant="primary">
              <Link href={paths.host(host.id)}>{t('open')}</Link>
            </Button>
          ) : (
            <Button disabled>{t('open')}</Button>
          )}
        </>
      }
    >
      <ol className="grid gap-4">
        <Step number={1}>
          <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-4 max-sm:grid-cols-1">
            <Field label={t('name')} hint={t('nameHint')} error={name && !isNameFit ? t('nameWrong') : undefined}>
              {(control) => (
                <Input
                  {...control}
                  autoFocus
                  maxLength={limits.nameLength}
                  value={name}
                  onChange={(event) => change(() => setName(event.target.value))}
                />
              )}
            </Field>
            <div>
              <span className="text-table mb-1.5 block leading-4 font-medium" aria-hidden="true">
                {t('way')}
              </span>
              <Segmented
                size="md"
                label={t('way')}
                value={way}
                onValueChange={setWay}
                options={JOIN_WAYS.map((each) => ({ value: each, label: t(`ways.${each}`) }))}
              />
              <span className="text-small text-text-3 mt-1.5 block">{t('notYet')}</span>
            </div>
          </div>
        </Step>
        <Step number={2}>
          <h3 className="text-table mb-1.5 leading-4 font-medium">{t('paste')}</h3>
          {isLoopback(consoleUrl) && (
            <Notice tone="warn" className="mb-2" icon={<TriangleAlert aria-hidden="true" />}>
              {t.rich('loopback', { url: consoleUrl, code: (chunks) => <code className="mono">{chunks}</code> })}
            </Notice>
          )}
          {isPlain(consoleUrl) && (
            <Notice tone="warn" className="mb-2" icon={<TriangleAlert aria-hidden="true" />}>
              {t('plainHttp')}
            </Notice>
          )}
          {token ? (
            <>
              {way !== 'npm' && !isPulled(agentImage) && (
                <BringImage image={agentImage} text={bringCommand(agentImage, name.trim())} />
              )}
              <Command
                label={t('paste')}
                text={joinCommand(way, {
                  consoleUrl,
                  consoleKey,
                  agentImage,
                  hostName: name.trim(),
                  token: token.token,
                })}
              />
            </>
          ) : (
            <Button isBusy={make.isPending} disabled={!isNameFit} onClick={() => make.mutate()}>
              {t('make')}
            </Button>
          )}
          {make.isError && <FieldError>{messageOf(make.error) ?? common('errors.general')}</FieldError>}
          <div className="text-small text-text-3 mt-2 flex flex-wrap items-center justify-between gap-2">
            <span>
              {token
                ? t(isReusable ? 'tokenMany' : 'tokenOnce', { minutes: Math.round(token.expiresInSeconds / 60) })
                : way === 'npm'
                  ? t('needs.npm')
                  : t(isPulled(agentImage) ? `pulls.${way}` : `needs.${way}`, { image: agentImage })}
            </span>
            <label className="flex items-center gap-2">
              <Switch checked={isReusable} onCheckedChange={(checked) => change(() => setReusable(checked))} />
              {t('several')}
            </label>
          </div>
        </Step>
        <Step number={3}>
          <h3 className="text-table mb-1.5 leading-4 font-medium">{t('wait')}</h3>
          <HostArrival host={host} name={name.trim()} way={way} askedAtMs={askedAtMs} isAsked={Boolean(token)} />
        </Step>
      </ol>
    </Dialog>
  );
}

function Step({ number, children }: { number: number; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[22px_minmax(0,1fr)] gap-3">
      <span
        aria-hidden="true"
        className="text-small text-text-2 ring-line-strong -mt-px grid size-[22px] place-items-center rounded-full font-medium ring-1 ring-inset"
      >
        {number}
      </span>
      <div className="min-w-0">{children}</div>
    </li>
  );
}

/** For a host that can't pull the agent's image. */
function BringImage({ image, text }: { image: string; text: string }) {
  const t = useTranslations('pages.hosts.adding');
  return (
    <div className="mb-2">
      <p className="text-small text-text-3 mb-1">
        {t.rich('bring', { image, code: (chunks) => <code className="mono">{chunks}</code> })}
      </p>
      <Command label={t('bringLabel')} text={text} />
    </div>
  );
}

function Command({ label, text }: { label: string; text: string }) {
  const common = useTranslations('common.actions');
  return (
    <div className="relative">
      <pre
        tabIndex={0}
        aria-label={label}
        className="border-line bg-sunken max-h-64 overflow-auto rounded-md border py-2.5 pr-20 pl-3 font-mono text-[12.5px] leading-5"
      >
        {text}
      </pre>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} label={common('copy')} copiedLabel={common('copied')} />
      </div>
    </div>
  );
}
