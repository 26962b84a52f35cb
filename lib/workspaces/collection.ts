import { workspacesTable } from '@/db/schema/workspaces';
import { nowMs } from '@/lib/clock';
import { limits } from '@/lib/vocabulary/limits';
import { timeLimits } from '@/lib/vocabulary/time-limits';
import { workspaceScheduleSchema } from '@/lib/vocabulary/workspace-times';
import type { EnvironmentVariable, ObservedContainer, ObservedPort } from '@/lib/vocabulary/workspace';
import { DESIRED_STATES, WORKSPACE_STATUSES } from '@/lib/vocabulary/workspace-status';
import { workspacesPolicy } from './policy';
import { defineCollection, type RowOf } from '@/lib/records/collection';
import { searched, shown } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { date } from '@/lib/records/fields/date';
import { file } from '@/lib/records/fields/file';
import { json, writtenJson } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { select } from '@/lib/records/fields/select';
import { tags } from '@/lib/records/fields/tags';
import { text } from '@/lib/records/fields/text';
import { createdByField, descriptionField, nameField, recommendationsField } from '@/lib/records/references';
import { PICTURE_TYPES } from '@/lib/records/pictures';
import { sealOrKeep, storedList } from '@/lib/records/secret-values';
import { checkWorkspace } from './checks';
import { copySecrets } from './copied-from';
import { dropUnusedPaths } from './mount-checks';
import {
  argumentsSchema,
  environmentVariablesSchema,
  externalUrlsSchema,
  gpusSchema,
  healthCheckSchema,
  portMappingsSchema,
  portSharesSchema,
  volumePathsSchema,
} from '@/lib/vocabulary/workspace-schemas';
import { takeUsualTimes } from './times/bounds';
import { afterEdit, isDrained } from './times/plan';
import { hideUrlPasswords, sealUrlPasswords } from './url-checks';
import { hashPasswords, takeHashes } from './url-passwords';

export const workspaces = defineCollection({
  id: 'berthworkspaces',
  name: 'workspaces',
  table: workspacesTable,
  fields: {
    name: searched(nameField()),
    description: searched(descriptionField()),
    template: searched(bool()),
    enabled: searched(bool()),
    icon: searched(file({ mimeTypes: PICTURE_TYPES, thumbs: ['300x300'] })),
    created_by: searched(createdByField()),
    tags: searched(tags()),
    image: searched(relation('images', { required: true })),
    imageBuild: searched(number({ serverWritten: true })),
    host: searched(relation('hosts', { required: true })),
    runtime: searched(text({ max: 100 })),
    gpus: searched(json({ schema: gpusSchema })),
    command: searched(text({ max: 4000 })),
    arguments: searched(json({ schema: argumentsSchema, unset: [] })),
    autoStart: searched(bool()),
    shmSize: searched(number({ min: 1, noDecimal: true })),
    cpuLimit: searched(number({ min: 0.01, max: 4096 })),
    memoryLimit: searched(number({ min: 1, noDecimal: true })),
    healthCheck: searched(json({ schema: healthCheckSchema })),
    environmentVariables: shown(
      json({
        schema: environmentVariablesSchema,
        unset: [],
        toStored: sealVariables,
        toWire: hideSecrets,
      }),
    ),
    portMappings: searched(json({ schema: portMappingsSchema, unset: [] })),
    networks: searched(relation('networks', { max: limits.networksPerWorkspace })),
    volumes: searched(relation('volumes', { max: limits.volumesPerWorkspace })),
    volumePaths: searched(json({ schema: volumePathsSchema, unset: {} })),
    externalUrls: shown(
      json({
        schema: externalUrlsSchema,
        unset: [],
        toStored: sealUrlPasswords,
        toWire: hideUrlPasswords,
      }),
    ),
    portShares: searched(json({ schema: portSharesSchema, unset: [] })),
    applied_recommendations: searched(recommendationsField()),
    ignored_recommendations: searched(recommendationsField()),
    desired: searched(select({ values: DESIRED_STATES, serverWritten: true })),
    status: searched(select({ values: WORKSPACE_STATUSES, serverWritten: true })),
    statusMessage: searched(text({ serverWritten: true })),
    generation: searched(number({ serverWritten: true })),
    observedGeneration: searched(number({ serverWritten: true })),
    observedAt: searched(date({ serverWritten: true })),
    statusSince: searched(date({ serverWritten: true })),
    observedPorts: searched(writtenJson<ObservedPort[]>({ unset: [] })),
    containerId: searched(text({ serverWritten: true })),
    observedContainer: shown(writtenJson<ObservedContainer>()),
    idleMinutes: searched(number({ min: timeLimits.idleMinutesMin, max: timeLimits.idleMinutesMax, noDecimal: true })),
    schedule: shown(json({ schema: workspaceScheduleSchema })),
    deleteAfterDays: searched(
      number({ min: timeLimits.deleteDaysMin, max: timeLimits.deleteDaysMax, noDecimal: true }),
    ),
    keptUntil: searched(date({ serverWritten: true })),
    stopsAt: searched(date({ serverWritten: true })),
    warnedAt: shown(date({ serverWritten: true })),
    nextStartAt: searched(date({ serverWritten: true })),
    nextStopAt: searched(date({ serverWritten: true })),
    deletesAt: searched(date({ serverWritten: true })),
  },
  check: checkWorkspace,
  unique: [{ fields: ['name', 'host'], sentence: 'This name is already taken on the host.' }],
  policy: workspacesPolicy,
  createInput: {
    copiedFrom: {
      type: 'string',
      writeOnly: true,
      description: 'Whose secret values are taken where they are sent empty',
    },
  },
  hooks: {
    prepare: hashPasswords,
    complete(context) {
      const { row, before, sent } = context;
      takeHashes(context);
      dropUnusedPaths(context);
      if (before && before.image !== row.image) row.imageBuild = 0;
      // Whoever changes what a maintenance stopped starts it again, too.
      if (before && isDrained(before)) row.drain = '';
      if (!before) {
        copySecrets(context);
        if (!sent.has('enabled')) row.enabled = true;
        row.desired = 'stopped';
        row.status = 'stopped';
        takeUsualTimes(context);
      }
      Object.assign(row, afterEdit(before, row, nowMs()));
    },
  },
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
