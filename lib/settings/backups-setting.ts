import { z } from 'zod';
import { backupScheduleSchema } from '@/lib/vocabulary/backup-schedule';

export const BACKUPS_KEY = 'backups';

/** When the console is backed up by itself; null for never. */
export const backupsSettingSchema = z.strictObject({ schedule: backupScheduleSchema.nullable().default(null) });
