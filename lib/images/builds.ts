import { buildsTable } from '@/db/schema/images';
import { buildsPolicy } from './builds-policy';
import { defineCollection } from '@/lib/records/collection';
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
    image: relation('images', { required: true, cascadeDelete: true }),
    host: relation('hosts'),
    created_by: createdByField(),
    number: number(),
    kind: text(),
    status: text(),
    statusMessage: text(),
    queuePlace: number(),
    started: date(),
    finished: date(),
    imageId: text(),
    digest: text(),
    sizeBytes: number(),
    cancelRequested: bool(),
  },
  relations: ['image', 'host', 'created_by'],
  search: ['image', 'host', 'created_by', 'number', 'kind', 'status', 'queuePlace', 'started', 'finished', 'digest'],
  policy: buildsPolicy,
  output: [
    'image',
    'host',
    'created_by',
    'number',
    'kind',
    'status',
    'statusMessage',
    'queuePlace',
    'started',
    'finished',
    'imageId',
    'digest',
    'sizeBytes',
    'cancelRequested',
  ],
});
