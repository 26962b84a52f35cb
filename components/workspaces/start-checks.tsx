'use client';

import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useRecordIfAny } from '@/components/data/records';
import { Glyph, type GlyphKind } from '@/components/ui/glyph';
import type { WorkspaceValues } from './workspace-schema';

interface Check {
  kind: GlyphKind;
  text: string;
  detail?: string;
}

/** What stands in the way of a start, from what is known of the picked host and image. */
export function StartChecks({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.checks');
  const checks = useChecks(form);
  return (
    <section className="rounded-card border-line-strong text-table border px-3.5 pt-2.5 pb-3" aria-live="polite">
      <h2 className="mb-2 font-semibold">{t('title')}</h2>
      <ul className="grid gap-2">
        {checks.map((check) => (
          <li key={check.text} className="grid grid-cols-[14px_1fr] gap-[9px]">
            <Glyph kind={check.kind} className="mt-[3px]" />
            <span>
              {check.text}
              {check.detail && <span className="text-small text-text-3 block">{check.detail}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useChecks(form: UseFormReturn<WorkspaceValues>): Check[] {
  const t = useTranslations('pages.workspaces.checks');
  const [hostId, imageId] = useWatch({ control: form.control, name: ['host', 'image'] });
  const host = useRecordIfAny('hosts', hostId);
  const image = useRecordIfAny('images', imageId, 'build_on');
  const checks: Check[] = [];
  if (!host) checks.push({ kind: 'off', text: t('pickHost') });
  else if (host.status !== 'online')
    checks.push({ kind: 'warn', text: t('hostAway', { host: host.name }), detail: t('hostAwayDetail') });
  else checks.push({ kind: 'done', text: t('hostOnline', { host: host.name }) });
  if (!image) checks.push({ kind: 'off', text: t('pickImage') });
  else if (image.status === 'build_finished') checks.push({ kind: 'done', text: t('imageBuilt') });
  else checks.push({ kind: 'warn', text: t('imageNotBuilt'), detail: t('imageNotBuiltDetail') });
  if (host && image && image.build_on !== host.id) {
    checks.push({
      kind: 'warn',
      text: t('otherHost'),
      detail: t('otherHostDetail', { host: image.expand?.build_on?.name ?? '–' }),
    });
  }
  if (host?.engine?.kind === 'simulated') checks.push({ kind: 'warn', text: t('simulated') });
  return checks;
}
