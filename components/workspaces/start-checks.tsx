'use client';

import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import { Glyph } from '@/components/ui/glyph';
import { useStartChecks } from './use-start-checks';
import type { WorkspaceValues } from './workspace-schema';

/** What stands in the way of a start, beside the form. */
export function StartChecks({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.checks');
  const checks = useStartChecks(form);
  return (
    <>
      <section className="rounded-card border-line-strong text-table border px-3.5 pt-2.5 pb-3" aria-live="polite">
        <h2 className="mb-2 font-semibold">{t('title')}</h2>
        <ul className="grid gap-2">
          {checks.map((check) => (
            <li key={check.key} className="grid grid-cols-[14px_1fr] gap-[9px]">
              <Glyph kind={check.kind} className="mt-[3px]" />
              <span>
                {check.text}
                {check.detail && <span className="text-small text-text-3 block">{check.detail}</span>}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <p className="text-small text-text-3 mt-2.5 px-3.5">{t('asked')}</p>
    </>
  );
}
