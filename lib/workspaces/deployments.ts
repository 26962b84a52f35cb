import { deploymentsTable } from '@/db/schema/workspaces';
import { deploymentsPolicy } from './deployments-policy';
import { defineCollection } from '@/lib/records/collection';
import { date } from '@/lib/records/fields/date';
import { json } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { text } from '@/lib/records/fields/text';
import { createdByField } from '@/lib/records/references';

export const deployments = defineCollection({
  id: 'berthdeployment',
  name: 'deployments',
  table: deploymentsTable,
  fields: {
    workspace: relation('workspaces', { required: true, cascadeDelete: true }),
    host: relation('hosts'),
    created_by: createdByField(),
    number: number(),
    generation: number(),
    action: text(),
    status: text(),
    statusMessage: text(),
    steps: json({ unset: [] }),
    finished: date(),
  },
  relations: ['workspace', 'host', 'created_by'],
  search: ['workspace', 'host', 'created_by', 'number', 'generation', 'action', 'status', 'finished'],
  policy: deploymentsPolicy,
  output: [
    'workspace',
    'host',
    'created_by',
    'number',
    'generation',
    'action',
    'status',
    'statusMessage',
    'steps',
    'finished',
  ],
});
