import { deploymentsTable } from '@/db/schema/workspaces';
import { deploymentsPolicy } from './deployments-policy';
import { defineCollection } from '@/lib/records/collection';
import { searched, shown } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { date } from '@/lib/records/fields/date';
import { writtenJson } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { text } from '@/lib/records/fields/text';
import { createdByField } from '@/lib/records/references';
import type { DeploymentStep } from '@/lib/vocabulary/workspace';

export const deployments = defineCollection({
  id: 'berthdeployment',
  name: 'deployments',
  table: deploymentsTable,
  fields: {
    workspace: searched(relation('workspaces', { required: true, cascadeDelete: true })),
    host: searched(relation('hosts')),
    created_by: searched(createdByField()),
    number: searched(number()),
    generation: searched(number()),
    action: searched(text()),
    order: shown(text()),
    pull: shown(bool()),
    status: searched(text()),
    statusMessage: shown(text()),
    steps: shown(writtenJson<DeploymentStep[]>({ unset: [] })),
    finished: searched(date()),
  },
  policy: deploymentsPolicy,
});
