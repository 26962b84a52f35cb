import { useTranslations } from 'next-intl';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

interface BackupPasswordProps {
  problem: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** What proves the admin to be the one: a backup opens every secret. */
export function BackupPassword({ problem, value, onChange }: BackupPasswordProps) {
  const t = useTranslations('pages.settings.backups');
  return (
    <Field label={t('password')} hint={t('passwordHint')} error={problem}>
      {(control) => (
        <Input
          {...control}
          type="password"
          autoComplete="current-password"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
