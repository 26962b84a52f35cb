import 'server-only';
import { composeSettings, mergeSetting, readSettingsPatch, type ApiSettings } from './api-settings';
import { settings } from './collection';
import { AppError, type FieldProblem, type FieldProblems, GENERIC_MESSAGE } from '@/lib/errors';
import { hideSecrets, sealSecrets } from './setting-secrets';
import { checkSetting } from './setting-checks';
import { recordAudit } from '@/lib/records/audit';
import type { AnyRow } from '@/lib/records/collection';
import type { Actor } from '@/lib/policies/actor';
import { StoreReader, write } from '@/lib/records/transaction';

const KEY = /^[A-Za-z][A-Za-z0-9._-]{0,99}$/;

/** The whole settings, secrets masked. */
export function readSettings(): ApiSettings {
  return composeSettings(new StoreReader().find(settings, {}, { orderBy: 'key' }));
}

/** Merges what is sent into the stored settings, all or nothing. Throws AppError `invalid` with the keys that can't change. */
export async function changeSettings(body: AnyRow, actor: Actor): Promise<ApiSettings> {
  const { values, problems } = readSettingsPatch(body);
  for (const key of Object.keys(values)) {
    if (!KEY.test(key)) problems[key] = { code: 'validation_invalid_format', message: 'Invalid value format.' };
  }
  if (Object.keys(problems).length > 0) throw new AppError('invalid', GENERIC_MESSAGE, { fields: problems });
  const keys = Object.keys(values);
  await write((tx) => {
    if (keys.length > 0) recordAudit(tx, { action: 'settings.update', actor, details: { keys } });
    for (const [key, sent] of Object.entries(values)) {
      const [row] = tx.find(settings, { key });
      // Secrets that are not sent become empty here, which keeps what is sealed.
      const merged = mergeSetting(hideSecrets(row?.value ?? null), sent);
      refuseWrong(checkSetting(key, merged, { actor, tx }), key);
      const value = sealSecrets(merged, row?.value ?? null);
      if (row) tx.patch(settings, row.id, { value });
      else tx.insert(settings, { key, value });
    }
  });
  return readSettings();
}

function refuseWrong(problems: FieldProblem | FieldProblems, key: string): void {
  if (Object.keys(problems).length > 0) throw new AppError('invalid', GENERIC_MESSAGE, { fields: { [key]: problems } });
}
