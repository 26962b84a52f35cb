import { volumesTable } from '@/db/schema/volumes';
import type { FieldProblems } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import { RESOURCE_STATUSES } from '@/lib/vocabulary/resource-status';
import { backupScheduleSchema } from '@/lib/vocabulary/backup-schedule';
import { nextBackupOf } from './backups/next-backup';
import { findFolderProblem } from './folder-checks';
import { checkStorage } from './quota-checks';
import { volumesPolicy } from './policy';
import { defineCollection, type CheckContext, type RowOf } from '@/lib/records/collection';
import { searched, shown } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { date } from '@/lib/records/fields/date';
import { json } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { select } from '@/lib/records/fields/select';
import { tags } from '@/lib/records/fields/tags';
import { text } from '@/lib/records/fields/text';
import { hosts } from '@/lib/hosts/collection';
import { checkHostResource, refuseWhileUsed } from '@/lib/hosts/on-host';
import { createdByField, nameField } from '@/lib/records/references';

type VolumeRow = RowOf<typeof volumesTable>;

export const volumes = defineCollection({
  id: 'berthvolumes001',
  name: 'volumes',
  table: volumesTable,
  fields: {
    name: searched(nameField()),
    host: searched(relation('hosts', { required: true })),
    path_on_host: searched(text({ max: limits.pathLength })),
    created_by: searched(createdByField()),
    tags: searched(tags()),
    status: searched(select({ values: RESOURCE_STATUSES, serverWritten: true })),
    statusMessage: searched(text({ serverWritten: true })),
    observedAt: searched(date({ serverWritten: true })),
    sizeBytes: searched(number({ serverWritten: true })),
    sizeIsLeast: shown(bool({ serverWritten: true })),
    sizedAt: searched(date({ serverWritten: true })),
    backupSchedule: shown(json({ schema: backupScheduleSchema })),
    nextBackupAt: searched(date({ serverWritten: true })),
  },
  check: checkVolume,
  unique: [{ fields: ['name', 'host'], sentence: 'This name is already taken on the host.' }],
  policy: volumesPolicy,
  hooks: {
    complete({ row, before }) {
      if (!before) row.status = 'pending';
      row.nextBackupAt = nextBackupOf(row, before);
    },
    beforeDelete: ({ tx, actor, row }) => refuseWhileUsed({ tx, actor }, 'volumes', row.id),
  },
});

/** A path on the host makes it a bind mount, which is a right of its own. */
function checkVolume(context: CheckContext<VolumeRow>): FieldProblems {
  const { tx, row, before } = context;
  const isBind = row.path_on_host !== '';
  const problems = checkHostResource(context, {
    act: isBind ? 'canCreateBindMounts' : 'canCreateVolumeMounts',
    refusal: `You do not have permission to create ${isBind ? 'bind mounts' : 'volumes'} on this host.`,
  });
  Object.assign(problems, checkStorage(context));
  if (before && before.path_on_host !== row.path_on_host) {
    problems.path_on_host = { code: 'validation_in_invalid', message: 'The path on the host can not change.' };
  } else if (!before && isBind) {
    const problem = findFolderProblem({
      path: row.path_on_host,
      ownerId: row.created_by,
      host: tx.get(hosts, row.host),
      taken: tx
        .find({ name: 'volumes', table: volumesTable }, { host: row.host })
        .map((other) => other.path_on_host)
        .filter(Boolean),
    });
    if (problem) problems.path_on_host = problem;
  }
  return problems;
}
