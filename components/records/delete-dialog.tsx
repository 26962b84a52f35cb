'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { isToldElsewhere, messageOf, statusOf } from '@/components/data/problems';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

export interface DeletePart {
  icon: ReactNode;
  name: string;
  detail?: string;
}

/** Something that has to go first, and where it is. */
export interface DeleteBlocker extends DeletePart {
  href?: string;
}

interface DeleteDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  text: string;
  /** What has to be typed. */
  verification: string;
  gone: DeletePart[];
  kept?: DeletePart[];
  /** What stands in the way: nothing has to be typed then, as it could not succeed. */
  blockers?: DeleteBlocker[];
  /** Whether something stands in the way is not known yet. */
  isAsking?: boolean;
  confirmLabel: string;
  /** Anything more to decide, above the buttons. */
  extra?: ReactNode;
  /** Whether what was refused is said there. */
  isSaidInExtra?: (error: unknown) => boolean;
  onDelete: () => Promise<void>;
}

/** Deletes after the name was typed. The red button works only then. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { isOpen, onOpenChange, title, text, verification, gone, kept = [], confirmLabel, extra, onDelete } = props;
  const { blockers = [], isAsking = false } = props;
  const t = useTranslations('common');
  const [typed, setTyped] = useState('');
  const [isLeft, setLeft] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isRight = typed === verification;
  const isWrong = !isRight && typed !== '' && (isLeft || !verification.startsWith(typed));

  function close(next: boolean) {
    onOpenChange(next);
    setTyped('');
    setLeft(false);
    setFailure(undefined);
  }

  async function confirm() {
    if (!isRight || isAsking) {
      setLeft(true);
      return;
    }
    setBusy(true);
    try {
      await onDelete();
      close(false);
    } catch (error) {
      if (isToldElsewhere(error) || props.isSaidInExtra?.(error)) return;
      setFailure(statusOf(error) === 404 ? t('delete.refused') : (messageOf(error) ?? t('errors.general')));
    } finally {
      setBusy(false);
    }
  }

  if (blockers.length > 0) {
    return (
      <Dialog
        isOpen={isOpen}
        onOpenChange={close}
        title={title}
        description={text}
        closeLabel={t('actions.close')}
        actions={<Button onClick={() => close(false)}>{t('actions.close')}</Button>}
      >
        <Blockers blockers={blockers} />
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={close}
      title={title}
      description={text}
      closeLabel={t('actions.close')}
      actions={
        <>
          <Button onClick={() => close(false)}>{t('actions.cancel')}</Button>
          <Button variant="dangerSolid" disabled={!isRight || isAsking} isBusy={isBusy} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <Parts title={t('delete.gone')} parts={gone} />
      <Parts title={t('delete.kept')} parts={kept} />
      <Field
        label={t.rich('delete.type', { name: () => <span className="mono">{verification}</span> })}
        error={failure ?? (isWrong ? t('problems.verificationTextIncorrect') : undefined)}
      >
        {(control) => (
          <Input
            {...control}
            isMono
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={() => setLeft(true)}
            onKeyDown={(event) => event.key === 'Enter' && void confirm()}
          />
        )}
      </Field>
      {extra && <div className="mt-3.5">{extra}</div>}
    </Dialog>
  );
}

/** What has to go before a record can, with the ways to it. */
export function Blockers({ blockers }: { blockers: DeleteBlocker[] }) {
  const t = useTranslations('common.delete');
  return <Parts title={t('first')} parts={blockers} />;
}

function Parts({ title, parts }: { title: string; parts: DeleteBlocker[] }) {
  if (parts.length === 0) return null;
  return (
    <div className="mb-4">
      <h3 className="text-table mb-1.5 leading-4 font-medium">{title}</h3>
      <ul className="divide-line border-line-strong text-table divide-y rounded-md border">
        {parts.map((part) => (
          <li
            key={part.name}
            className="[&_svg]:text-text-3 flex min-h-[34px] items-center gap-2.5 px-3 [&_svg]:size-4"
          >
            {part.icon}
            <span className="min-w-0 truncate">
              {part.href ? (
                <Link href={part.href} className="text-accent-text rounded-sm font-medium hover:underline">
                  {part.name}
                </Link>
              ) : (
                <span className="font-medium">{part.name}</span>
              )}{' '}
              {part.detail && <span className="text-text-2">{part.detail}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
