import { volumeBackupsTable } from '@/db/schema/volumes';
import { nobody, through, type Policy } from '@/lib/policies/rules';
import { defineCollection } from '@/lib/records/collection';
import { searched, shown } from '@/lib/records/fields/access';
import { date } from '@/lib/records/fields/date';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { text } from '@/lib/records/fields/text';
import { createdByField } from '@/lib/records/references';
import { volumesPolicy } from '../policy';

const readable = through('volume', 'volumes', volumesPolicy.can.attach);
const changeable = through('volume', 'volumes', volumesPolicy.can.modify);

/** A backup is what is in its volume: for whoever may attach that. Made, restored and deleted by who may modify it, by calls of their own. */
const volumeBackupsPolicy: Policy<'view' | 'download' | 'restore' | 'delete'> = {
  list: readable,
  view: readable,
  create: nobody,
  update: nobody,
  delete: nobody,
  can: { view: readable, download: readable, restore: changeable, delete: changeable },
};

export const volumeBackups = defineCollection({
  id: 'berthvolbackups',
  name: 'volume_backups',
  table: volumeBackupsTable,
  fields: {
    volume: searched(relation('volumes', { required: true, cascadeDelete: true })),
    created_by: searched(createdByField()),
    origin: searched(text()),
    status: searched(text()),
    statusMessage: shown(text()),
    finished: searched(date()),
    sizeBytes: searched(number()),
    tarBytes: shown(number()),
    entries: shown(number()),
    leftOut: shown(number()),
    restoreStatus: shown(text()),
    restoreMessage: shown(text()),
    restoredAt: shown(date()),
  },
  policy: volumeBackupsPolicy,
});
