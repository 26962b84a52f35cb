import type { volumesTable } from '@/db/schema/volumes';
import { nowMs, toWireDate } from '@/lib/clock';
import type { RowOf } from '@/lib/records/collection';
import { type BackupSchedule, backupScheduleSchema, nextBackupMs } from '@/lib/vocabulary/backup-schedule';

type VolumeRow = RowOf<typeof volumesTable>;

/** When the volume is backed up next; empty without a schedule, or with one that is refused anyway. */
export function nextBackupOf(row: VolumeRow, before: VolumeRow | undefined): string {
  const schedule: BackupSchedule | undefined = backupScheduleSchema.safeParse(row.backupSchedule).data;
  if (!schedule) return '';
  const isSame = JSON.stringify(row.backupSchedule) === JSON.stringify(before?.backupSchedule);
  return isSame && row.nextBackupAt !== '' ? row.nextBackupAt : toWireDate(nextBackupMs(schedule, nowMs()));
}
