'use client';

import { Stethoscope } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useQuestion } from '@/components/data/use-question';
import { AddressChecks, type AddressReport } from '@/components/records/address-checks';
import { Button } from '@/components/ui/button';

interface AddressDoctorProps {
  workspaceId: string;
  /** A host name. */
  name: string;
}

/** Whether the address of a workspace at a name opens, looked at when somebody asks. */
export function AddressDoctor({ workspaceId, name }: AddressDoctorProps) {
  const t = useTranslations('pages.addressChecks');
  const question = useQuestion<AddressReport>(`/api/workspace/${workspaceId}/doctor/${name}`);
  return (
    <div className="-mx-3.5 w-[calc(100%+1.75rem)]">
      <div className="flex justify-end px-2 pb-1">
        <Button
          size="sm"
          variant="ghost"
          isBusy={question.isAsking}
          aria-label={t('lookAt', { address: name })}
          onClick={question.ask}
        >
          <Stethoscope className="size-4" aria-hidden="true" />
          {t(question.answer ? 'again' : 'look')}
        </Button>
      </div>
      <AddressChecks label={t('listOf', { address: name })} question={question} />
    </div>
  );
}
