'use client';

import { Stethoscope } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useQuestion } from '@/components/data/use-question';
import { AddressChecks, type AddressReport } from '@/components/records/address-checks';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/parts';

/** Whether addresses under a domain open, looked at when somebody asks. */
export function DomainDoctor({ domainId }: { domainId: string }) {
  const t = useTranslations('pages.addressChecks');
  const question = useQuestion<AddressReport>(`/api/domain/${domainId}/doctor`);
  return (
    <Card
      className="col-span-full"
      title={t('title')}
      actions={
        <Button size="sm" variant="ghost" isBusy={question.isAsking} onClick={question.ask}>
          <Stethoscope className="size-4" aria-hidden="true" />
          {t(question.answer ? 'again' : 'look')}
        </Button>
      }
    >
      <AddressChecks label={t('title')} question={question} text={t('text')} />
    </Card>
  );
}
