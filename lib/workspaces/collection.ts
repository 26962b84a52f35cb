import { z } from 'zod';
import { workspacesTable } from '@/db/schema/workspaces';
import { limits } from '@/lib/vocabulary/limits';
import type { EnvironmentVariable } from '@/lib/vocabulary/workspace';
import { DESIRED_STATES, WORKSPACE_STATUSES } from '@/lib/vocabulary/workspace-status';
import { workspacesPolicy } from './policy';
import { defineCollection, type RowOf } from '@/lib/records/collection';
import { bool } from '@/lib/records/fields/bool';
import { date } from '@/lib/records/fields/date';
import { file } from '@/lib/records/fields/file';
import { json } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { select } from '@/lib/records/fields/select';
import { text } from '@/lib/records/fields/text';
import { createdByField, descriptionField, nameField, recommendationsField } from '@/lib/records/references';
import { PICTURE_TYPES } from '@/lib/records/pictures';
import { sealOrKeep, storedList } from '@/lib/records/secret-values';
import { checkWorkspace } from './checks';
import { dropUnusedPaths } from './mount-checks';
import {
  argumentsSchema,
  environmentVariablesSchema,
  externalUrlsSchema,
  gpusSchema,
  portMappingsSchema,
  volumePathsSchema,
} from './schemas';
import { hideUrlPasswords, sealUrlPasswords } from './url-checks';

export const workspaces = defineCollection({
  id: 'berthworkspaces',
  name: 'workspaces',
  table: workspacesTable,
  fields: {
    name: nameField(),
    description: descriptionField(),
    template: bool(),
    enabled: bool(),
    icon: file({ mimeTypes: PICTURE_TYPES, thumbs: ['300x300'] }),
    created_by: createdByField(),
    image: relation('images', { required: true }),
    host: relation('hosts', { required: true }),
    runtime: text({ max: 100 }),
    gpus: json({ schema: gpusSchema }),
    command: text({ max: 4000 }),
    arguments: json({ schema: argumentsSchema, unset: [] }),
    autoStart: bool(),
    shmSize: number({ min: 1, noDecimal: true }),
    cpuLimit: number({ min: 0.01, max: 4096 }),
    memoryLimit: number({ min: 1, noDecimal: true }),
    environmentVariables: json({
      schema: environmentVariablesSchema,
      unset: [],
      toStored: sealVariables,
      toWire: hideSecrets,
    }),
    portMappings: json({ schema: portMappingsSchema, unset: [] }),
    networks: relation('networks', { max: limits.networksPerWorkspace }),
    volumes: relation('volumes', { max: limits.volumesPerWorkspace }),
    volumePaths: json({ schema: volumePathsSchema, unset: {} }),
    externalUrls: json({
      schema: externalUrlsSchema,
      unset: [],
      toStored: sealUrlPasswords,
      toWire: hideUrlPasswords,
    }),
    applied_recommendations: recommendationsField(),
    ignored_recommendations: recommendationsField(),
    desired: select({ values: DESIRED_STATES, serverWritten: true }),
    status: select({ values: WORKSPACE_STATUSES, serverWritten: true }),
    statusMessage: text({ serverWritten: true }),
    generation: number({ serverWritten: true }),
    observedGeneration: number({ serverWritten: true }),
    observedAt: date({ serverWritten: true }),
    statusSince: date({ serverWritten: true }),
    observedPorts: json({ schema: z.unknown(), unset: [], serverWritten: true }),
    containerId: text({ serverWritten: true }),
  },
  check: checkWorkspace,
  unique: [{ fields: ['name', 'host'] }],
  relations: [
    'created_by',
    'image',
    'host',
    'networks',
    'volumes',
    'applied_recommendations',
    'ignored_recommendations',
  ],
  search: [
    'name',
    'description',
    'template',
    'enabled',
    'icon',
    'created_by',
    'image',
    'host',
    'runtime',
    'gpus',
    'command',
    'arguments',
    'autoStart',
    'shmSize',
    'cpuLimit',
    'memoryLimit',
    'portMappings',
    'networks',
    'volumes',
    'volumePaths',
    'applied_recommendations',
    'ignored_recommendations',
    'desired',
    'status',
    'statusMessage',
    'generation',
    'observedGeneration',
    'observedAt',
    'statusSince',
    'observedPorts',
    'containerId',
  ],
  policy: workspacesPolicy,
  hooks: {
    complete(context) {
      const { row, before, sent } = context;
      dropUnusedPaths(context);
      if (before) return;
      if (!sent.has('enabled')) row.enabled = true;
      row.desired = 'stopped';
      row.status = 'stopped';
    },
  },
  output: [
    'name',
    'description',
    'template',
    'enabled',
    'icon',
    'created_by',
    'image',
    'host',
    'runtime',
    'gpus',
    'command',
    'arguments',
    'autoStart',
    'shmSize',
    'cpuLimit',
    'memoryLimit',
    'environmentVariables',
    'portMappings',
    'networks',
    'volumes',
    'volumePaths',
    'externalUrls',
    'applied_recommendations',
    'ignored_recommendations',
    'desired',
    'status',
    'statusMessage',
    'generation',
    'observedGeneration',
    'observedAt',
    'statusSince',
    'observedPorts',
    'containerId',
  ],
});

export type WorkspaceRow = RowOf<typeof workspaces.table>;

/** A secret sent empty keeps what is stored under its name; making a variable plain needs its value again. */
function sealVariables(value: unknown, stored: unknown): EnvironmentVariable[] {
  const known = storedList<EnvironmentVariable>(stored);
  return storedList<EnvironmentVariable>(value).map((variable) => {
    if (!variable.secret) return variable;
    const same = known.find(({ name, secret }) => secret && name === variable.name);
    return { ...variable, value: sealOrKeep(variable.value, same?.value) };
  });
}

function hideSecrets(stored: unknown): EnvironmentVariable[] {
  return storedList<EnvironmentVariable>(stored).map(({ name, value, secret }) => ({
    name,
    value: secret ? '' : value,
    secret,
  }));
}
