import { imagesTable } from '@/db/schema/images';
import { workspacesTable } from '@/db/schema/workspaces';
import { buildArgumentsSchema, buildSecretsSchema } from '@/lib/vocabulary/build-parameters';
import { CREATION_TYPES, type ExposedPort } from '@/lib/vocabulary/image';
import { IMAGE_STATUSES } from '@/lib/vocabulary/image-status';
import { limits } from '@/lib/vocabulary/limits';
import { imagesPolicy } from './policy';
import { defineCollection, type RowOf } from '@/lib/records/collection';
import { searched, shown } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { date } from '@/lib/records/fields/date';
import { json, writtenJson } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { select } from '@/lib/records/fields/select';
import { tags } from '@/lib/records/fields/tags';
import { text } from '@/lib/records/fields/text';
import { refuseUsed } from '@/lib/records/refuse-used';
import { hideBuildSecrets, sealBuildSecrets } from './build-parameters';
import { checkImage, completeImage } from './checks';
import { readEnvironments } from '@/lib/vocabulary/image-environments';
import {
  channelsSchema,
  environmentsSchema,
  filePathsSchema,
  startupCommandsSchema,
  userConfigurationSchema,
} from '@/lib/vocabulary/image-schemas';
import { createdByField, descriptionField, nameField, recommendationsField } from '@/lib/records/references';

export const images = defineCollection({
  id: 'berthimages0001',
  name: 'images',
  table: imagesTable,
  fields: {
    name: searched(nameField()),
    description: searched(descriptionField()),
    template: searched(bool()),
    enabled: searched(bool()),
    created_by: searched(createdByField()),
    tags: searched(tags()),
    build_on: searched(relation('hosts', { required: true })),
    creationType: searched(select({ values: CREATION_TYPES, required: true })),
    dockerfile: searched(text({ max: limits.dockerfileBytes })),
    dockerImageName: searched(text({ max: 512 })),
    baseImage: searched(text({ max: 512 })),
    repository: searched(text({ max: 255 })),
    tag: searched(text({ max: 128 })),
    channels: searched(json({ schema: channelsSchema, unset: [] })),
    environments: searched(json({ schema: environmentsSchema, unset: [], toWire: readEnvironments })),
    startupCommands: searched(json({ schema: startupCommandsSchema, unset: [] })),
    userConfiguration: searched(json({ schema: userConfigurationSchema })),
    files: searched(relation('files', { max: limits.filesPerImage })),
    filePaths: searched(json({ schema: filePathsSchema, unset: {} })),
    applied_recommendations: searched(recommendationsField()),
    ignored_recommendations: searched(recommendationsField()),
    buildArguments: shown(json({ schema: buildArgumentsSchema, unset: [] })),
    buildSecrets: shown(
      json({ schema: buildSecretsSchema, unset: [], toStored: sealBuildSecrets, toWire: hideBuildSecrets }),
    ),
    force_pull_base: searched(bool()),
    push_after_build: searched(bool()),
    external: searched(bool({ serverWritten: true })),
    status: searched(select({ values: IMAGE_STATUSES, serverWritten: true })),
    statusMessage: searched(text({ serverWritten: true })),
    imageId: searched(text({ serverWritten: true })),
    sizeBytes: searched(number({ serverWritten: true })),
    exposedPorts: shown(writtenJson<ExposedPort[] | null>()),
    buildNumber: searched(number({ serverWritten: true })),
    newerDigest: shown(text({ serverWritten: true })),
    newerChecked: shown(date({ serverWritten: true })),
  },
  check: checkImage,
  unique: [
    {
      fields: ['repository', 'tag', 'build_on'],
      when: (row) => !row.template,
      sentence: 'An image of this name and tag is on the host already.',
    },
  ],
  policy: imagesPolicy,
  hooks: {
    complete: completeImage,
    beforeDelete({ tx, actor, row }) {
      const workspaces = tx.find({ name: 'workspaces', table: workspacesTable }, { image: row.id });
      refuseUsed({ tx, actor }, 'workspaces', workspaces);
    },
  },
});

export type ImageRow = RowOf<typeof images.table>;
