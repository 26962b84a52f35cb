'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { FormSection } from '@/components/records/form-layout';
import { GroupMark } from '@/components/records/group-mark';
import { Person } from '@/components/records/person';
import { IconButton } from '@/components/ui/button';
import { GridCell, GridTable } from '@/components/ui/grid-table';
import type { WorkspaceSource } from './workspace-source';

/** What goes over from the source beside the fields of the form. */
export interface Carried {
  logins: WorkspaceSource['logins'];
}

interface CarriedSectionProps {
  carried: Carried;
  onChange: (carried: Carried) => void;
}

/** Who may log in at the addresses that are taken over; each can be left out. */
export function CarriedSection({ carried, onChange }: CarriedSectionProps) {
  const t = useTranslations('pages.workspaces.carried');
  const { logins } = carried;
  const heads = (label: string) => [
    label,
    <span key="x" className="sr-only">
      {t('actions')}
    </span>,
  ];
  return (
    <FormSection id="carried" title={t('title')} text={t('text')} isLast>
      {logins.length > 0 && (
        <GridTable label={t('logins')} heads={heads(t('logins'))} widths={['auto', '40px']}>
          {logins.map((login, index) => (
            <tr key={login.id}>
              <GridCell label={t('logins')} className="@max-md:col-span-2">
                <span className="flex min-w-0 items-center gap-2 px-2.5">
                  {login.group === '' ? (
                    <Person user={login.expand?.user} />
                  ) : (
                    <>
                      <GroupMark />
                      <span className="truncate">{login.expand?.group?.name ?? '–'}</span>
                    </>
                  )}
                  <span className="mono text-text-3 truncate">{login.url}</span>
                </span>
              </GridCell>
              <GridCell className="text-center">
                <IconButton
                  size="sm"
                  label={t('removeLogin', { row: index + 1 })}
                  onClick={() => onChange({ logins: logins.filter((each) => each !== login) })}
                >
                  <X className="size-3.5" />
                </IconButton>
              </GridCell>
            </tr>
          ))}
        </GridTable>
      )}
    </FormSection>
  );
}
