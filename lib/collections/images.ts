import { hostsTable } from '@/db/schema/hosts';
import { imagesTable } from '@/db/schema/images';
import { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblems } from '@/lib/errors';
import { checkDockerfile } from '@/lib/domain/dockerfile';
import { CREATION_TYPES } from '@/lib/domain/image';
import { defaultRepository, INVALID_IMAGE_NAME, isRepository, isTag, parseImageName } from '@/lib/domain/image-name';
import { IMAGE_STATUSES } from '@/lib/domain/image-status';
import { limits } from '@/lib/domain/limits';
import { imagesPolicy } from '@/lib/policies/images';
import { mayAct } from '@/lib/records/can';
import { defineCollection, type CheckContext, type RowOf } from '@/lib/records/collection';
import { bool } from '@/lib/records/fields/bool';
import { json } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { select } from '@/lib/records/fields/select';
import { text } from '@/lib/records/fields/text';
import { deleteBlockedBy } from '@/lib/records/messages';
import { hosts } from './hosts';
import { channelsSchema, environmentsSchema, startupCommandsSchema, userConfigurationSchema } from './image-schemas';
import { createdByField, descriptionField, nameField } from './references';

type ImageRow = RowOf<typeof imagesTable>;

export const images = defineCollection({
  id: 'berthimages0001',
  name: 'images',
  table: imagesTable,
  fields: {
    name: nameField(),
    description: descriptionField(),
    template: bool(),
    enabled: bool(),
    created_by: createdByField(),
    build_on: relation('hosts', { required: true }),
    creationType: select({ values: CREATION_TYPES, required: true }),
    dockerfile: text({ max: limits.dockerfileBytes }),
    dockerImageName: text({ max: 512 }),
    baseImage: text({ max: 512 }),
    repository: text({ max: 255 }),
    tag: text({ max: 128 }),
    channels: json({ schema: channelsSchema, unset: [] }),
    environments: json({ schema: environmentsSchema, unset: [] }),
    startupCommands: json({ schema: startupCommandsSchema, unset: [] }),
    userConfiguration: json({ schema: userConfigurationSchema }),
    force_pull_base: bool(),
    push_after_build: bool(),
    external: bool({ serverWritten: true }),
    status: select({ values: IMAGE_STATUSES, serverWritten: true }),
    statusMessage: text({ serverWritten: true }),
    imageId: text({ serverWritten: true }),
    sizeBytes: number({ serverWritten: true }),
    buildNumber: number({ serverWritten: true }),
  },
  check: checkImage,
  unique: [{ fields: ['repository', 'tag', 'build_on'], when: (row) => !row.template }],
  relations: ['created_by', 'build_on'],
  search: [
    'name',
    'description',
    'template',
    'enabled',
    'created_by',
    'build_on',
    'creationType',
    'dockerfile',
    'dockerImageName',
    'baseImage',
    'repository',
    'tag',
    'channels',
    'environments',
    'startupCommands',
    'userConfiguration',
    'force_pull_base',
    'push_after_build',
    'external',
    'status',
    'statusMessage',
    'imageId',
    'sizeBytes',
    'buildNumber',
  ],
  policy: imagesPolicy,
  hooks: {
    complete: completeImage,
    beforeDelete({ tx, row }) {
      const workspaces = tx.find({ name: 'workspaces', table: workspacesTable }, { image: row.id });
      if (workspaces.length > 0)
        throw deleteBlockedBy(
          'workspace',
          workspaces.map(({ name }) => name),
        );
    },
  },
  output: [
    'name',
    'description',
    'template',
    'enabled',
    'created_by',
    'build_on',
    'creationType',
    'dockerfile',
    'dockerImageName',
    'baseImage',
    'repository',
    'tag',
    'channels',
    'environments',
    'startupCommands',
    'userConfiguration',
    'force_pull_base',
    'push_after_build',
    'external',
    'status',
    'statusMessage',
    'imageId',
    'sizeBytes',
    'buildNumber',
  ],
});

/** A new image is enabled and generates its Dockerfile unless told otherwise; where it is kept follows from its name. */
function completeImage({ row, before, sent }: CheckContext<ImageRow>): void {
  if (!before) {
    if (!sent.has('enabled')) row.enabled = true;
    if (!sent.has('creationType')) row.creationType = 'generateDockerfile';
    row.status = 'build_pending';
    row.statusMessage = 'Not built yet';
  }
  row.external = row.creationType === 'pullAnImage';
  const pulled = row.external ? parseImageName(row.dockerImageName) : undefined;
  const renames = before && sent.has('dockerImageName') && row.dockerImageName !== before.dockerImageName;
  if (pulled) {
    if (row.repository === '' || renames) row.repository = pulled.repository;
    if (row.tag === '' || renames) row.tag = pulled.tag || 'latest';
  }
  if (row.repository === '' && !row.external && row.name !== '') row.repository = defaultRepository(row.name);
  if (row.tag === '') row.tag = 'latest';
}

function checkImage(context: CheckContext<ImageRow>): FieldProblems {
  const { row, before } = context;
  const problems: FieldProblems = {};
  const invalidName = { code: 'validation_invalid_format', message: INVALID_IMAGE_NAME };
  const blank = { code: 'validation_required', message: 'Cannot be blank.' };
  if (row.creationType === 'writeDockerfile') {
    const problem = row.dockerfile.trim() === '' ? undefined : checkDockerfile(row.dockerfile);
    if (row.dockerfile.trim() === '') problems.dockerfile = blank;
    else if (problem) problems.dockerfile = { code: 'validation_invalid_dockerfile', message: problem.message };
  }
  if (row.creationType === 'generateDockerfile') {
    if (row.baseImage === '') problems.baseImage = blank;
    else if (!parseImageName(row.baseImage)) problems.baseImage = invalidName;
    Object.assign(problems, checkStartupEnvironments(row));
  }
  if (row.creationType === 'pullAnImage') {
    if (row.dockerImageName === '') problems.dockerImageName = blank;
    else if (!parseImageName(row.dockerImageName)) problems.dockerImageName = invalidName;
  }
  if (row.repository !== '' && !isRepository(row.repository)) problems.repository = invalidName;
  if (row.tag !== '' && !isTag(row.tag)) problems.tag = invalidName;
  if (!before || before.build_on !== row.build_on) Object.assign(problems, checkBuildHost(context));
  return problems;
}

function checkStartupEnvironments({ startupCommands, environments }: ImageRow): FieldProblems {
  const names = new Set((environments ?? []).map(({ name }) => name));
  const problems: FieldProblems = {};
  (startupCommands ?? []).forEach(({ environment }, index) => {
    if (!environment || names.has(environment)) return;
    const problem = { code: 'validation_invalid_value', message: `There is no environment ${environment}.` };
    problems[index] = { environment: problem };
  });
  return Object.keys(problems).length > 0 ? { startupCommands: problems } : {};
}

/** Building somewhere needs `canCreateImages` there; a host that the caller can't see is as if it did not exist. */
function checkBuildHost({ actor, tx, row, before }: CheckContext<ImageRow>): FieldProblems {
  if (before && tx.find({ name: 'workspaces', table: workspacesTable }, { image: row.id }, { limit: 1 }).length > 0) {
    const message = 'The host can not change while workspaces use the image.';
    return { build_on: { code: 'validation_in_invalid', message } };
  }
  const host = tx.get({ name: 'hosts', table: hostsTable }, row.build_on);
  if (!host) return {};
  if (!mayAct(hosts, { actor, act: 'view', row: host })) {
    const message = 'Failed to find all relation records with the provided ids.';
    return { build_on: { code: 'validation_missing_rel_records', message } };
  }
  if (!mayAct(hosts, { actor, act: 'canCreateImages', row: host })) {
    const message = 'You do not have permission to create images on this host.';
    return { build_on: { code: 'validation_not_allowed', message } };
  }
  if (!host.enabled) return { build_on: { code: 'validation_disabled', message: 'The host is disabled.' } };
  return {};
}
