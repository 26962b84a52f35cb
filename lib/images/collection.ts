import { imagesTable } from '@/db/schema/images';
import { workspacesTable } from '@/db/schema/workspaces';
import { CREATION_TYPES } from '@/lib/vocabulary/image';
import { IMAGE_STATUSES } from '@/lib/vocabulary/image-status';
import { limits } from '@/lib/vocabulary/limits';
import { imagesPolicy } from './policy';
import { defineCollection, type RowOf } from '@/lib/records/collection';
import { bool } from '@/lib/records/fields/bool';
import { json } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { select } from '@/lib/records/fields/select';
import { text } from '@/lib/records/fields/text';
import { deleteBlockedBy } from '@/lib/records/messages';
import { checkImage, completeImage } from './checks';
import {
  channelsSchema,
  environmentsSchema,
  filePathsSchema,
  startupCommandsSchema,
  userConfigurationSchema,
} from './schemas';
import { createdByField, descriptionField, nameField, recommendationsField } from '@/lib/records/references';

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
    files: relation('files', { max: limits.filesPerImage }),
    filePaths: json({ schema: filePathsSchema, unset: {} }),
    applied_recommendations: recommendationsField(),
    ignored_recommendations: recommendationsField(),
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
  relations: ['created_by', 'build_on', 'files', 'applied_recommendations', 'ignored_recommendations'],
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
    'files',
    'filePaths',
    'applied_recommendations',
    'ignored_recommendations',
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
    'files',
    'filePaths',
    'applied_recommendations',
    'ignored_recommendations',
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

export type ImageRow = RowOf<typeof images.table>;
