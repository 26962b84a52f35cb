import { expect, it } from 'vitest';
import type { ImageRecord } from '@/components/data/types';
import { imageSchema, toValues } from './image-schema';

const image = {
  creationType: 'writeDockerfile',
  name: 'lab',
  description: '',
  build_on: 'h',
  dockerImageName: '',
  dockerfile: 'FROM scratch',
  baseImage: '',
  files: [] as string[],
  tags: [] as string[],
  force_pull_base: false,
  push_after_build: true,
  status: '',
} as Partial<ImageRecord> as ImageRecord;

const generated = { creationType: 'generateDockerfile', baseImage: 'ubuntu:24.04' } as const;

const messagesOf = (change: Partial<ImageRecord>) =>
  (imageSchema.safeParse(toValues({ ...image, ...change })).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

it('takes what is stored, without what is not set in the form', () => {
  expect(imageSchema.parse(toValues(image))).not.toHaveProperty('status');
  expect(messagesOf({})).toEqual([]);
});

it.each<[Partial<ImageRecord>, string]>([
  [{ dockerfile: ' \n' }, 'dockerfile: required'],
  [{ creationType: 'pullAnImage' }, 'dockerImageName: required'],
  [{ dockerImageName: 'UPPER case' }, 'dockerImageName: invalidDockerImageName'],
  [{ name: '', build_on: 'h' }, 'name: required'],
  [{ creationType: 'generateDockerfile' }, 'baseImage: required'],
  [{ ...generated, baseImage: 'UPPER' }, 'baseImage: invalidDockerImageName'],
  [
    { ...generated, environments: [{ name: 'a b', channels: [], packages: [] }] },
    'environments.0.name: Use letters, digits, dots, dashes and underscores.',
  ],
  [
    { ...generated, startupCommands: [{ command: ' ', environment: null }] },
    'startupCommands.0.command: Cannot be blank.',
  ],
  [
    { ...generated, userConfiguration: { isAdded: true, uid: 70_000, name: '', gid: null, group: '' } },
    'userConfiguration.uid: maximumValue:65535',
  ],
  [
    { ...generated, userConfiguration: { isAdded: true, uid: null, name: 'a-b', gid: null, group: '' } },
    'userConfiguration.name: mustBeAlphanumeric',
  ],
  [
    { ...generated, environments: [1, 2].map(() => ({ name: 'a', channels: [], packages: [] })) },
    'environments.1.name: duplicateEnvironmentNameProvideUnique',
  ],
  [{ filePaths: { a: 'relative' } }, 'filePaths.a: Must be an absolute path without “..”.'],
])('names what is wrong with %j', (change, message) => {
  expect(messagesOf(change)).toEqual([message]);
});
