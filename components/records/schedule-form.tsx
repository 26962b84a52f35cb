import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { fieldProblems } from '@/components/data/problems';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import type { BackupSchedule } from '@/lib/vocabulary/backup-schedule';
import { beginSchedule, ScheduleFields, toSchedule } from './schedule-fields';

interface ScheduleFormProps {
  /** Whose words these are. */
  area: 'volumes' | 'settings';
  /** What the form begins with. */
  stored: BackupSchedule | null;
  /** Resolves once it is stored, null for none, and what shows it is read anew. */
  onSave: (schedule: BackupSchedule | null) => Promise<void>;
}

/** Sets when something is backed up by itself. */
export function ScheduleForm({ area, stored, onSave }: ScheduleFormProps) {
  const t = useTranslations(`pages.${area}.schedule`);
  const tell = useTell();
  const [values, setValues] = useState(() => beginSchedule(stored));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function save() {
    setBusy(true);
    try {
      await onSave(toSchedule(values));
      tell.done(t('saved'));
    } catch (error) {
      const [first] = fieldProblems(error);
      if (first) setProblem(first.message);
      else tell.failed(t('notSaved'), error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <ScheduleFields
        area={area}
        values={values}
        onChange={(changes) => {
          setProblem(undefined);
          setValues({ ...values, ...changes });
        }}
      />
      {problem && <p className="text-table text-bad-text">{problem}</p>}
      <div>
        <Button size="sm" variant="primary" isBusy={isBusy} onClick={() => void save()}>
          {t('save')}
        </Button>
      </div>
    </>
  );
}
