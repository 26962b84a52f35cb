import { buildsTable } from '@/db/schema/images';
import { buildsPolicy } from './builds-policy';
import { defineCollection } from '@/lib/records/collection';
import { searched, shown } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { date } from '@/lib/records/fields/date';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { text } from '@/lib/records/fields/text';
import { createdByField } from '@/lib/records/references';

export const builds = defineCollection({
  id: 'berthbuilds0001',
  name: 'builds',
  table: buildsTable,
  fields: {
    image: searched(relation('images', { required: true, cascadeDelete: true })),
    host: searched(relation('hosts')),
    created_by: searched(createdByField()),
    number: searched(number()),
    kind: searched(text()),
    status: searched(text()),
    statusMessage: shown(text()),
    queuePlace: searched(number()),
    started: searched(date()),
    finished: searched(date()),
    imageId: shown(text()),
    digest: searched(text()),
    reference: searched(text()),
    sizeBytes: shown(number()),
    cancelRequested: shown(bool()),
    lockOf: shown(number()),
    hasLock: shown(bool()),
    isGone: searched(bool()),
  },
  policy: buildsPolicy,
});
