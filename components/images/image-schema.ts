import { z } from 'zod';
import type { ImageRecord } from '@/components/data/types';
import { keyOfSentence } from '@/components/records/form-problems';
import { tagsSchema } from '@/components/records/tags/tags-schema';
import { asKey } from '@/components/records/schema-resolver';
import {
  type BuildArgument,
  buildArgumentsSchema,
  type BuildSecret,
  buildSecretsSchema,
} from '@/lib/vocabulary/build-parameters';
import {
  DEFAULT_BASE_IMAGE,
  type ImageEnvironment,
  type StartupCommand,
  type UserConfiguration,
} from '@/lib/vocabulary/image';
import { parseImageName } from '@/lib/vocabulary/image-name';
import {
  channelsSchema,
  environmentsSchema,
  filePathsSchema,
  startupCommandsSchema,
  userConfigurationSchema,
} from '@/lib/vocabulary/image-schemas';
import { limits } from '@/lib/vocabulary/limits';

export const imageSchema = z
  .object({
    creationType: z.enum(['writeDockerfile', 'pullAnImage', 'generateDockerfile']),
    name: z.string().trim().min(1, 'required').max(limits.nameLength),
    description: z.string().max(limits.descriptionLength),
    tags: tagsSchema,
    build_on: z.string().min(1, 'required'),
    dockerImageName: z
      .string()
      .trim()
      .refine((name) => name === '' || parseImageName(name) !== undefined, 'invalidDockerImageName'),
    dockerfile: z.string().max(limits.dockerfileBytes),
    baseImage: z.string().trim(),
    /** Asked by every environment after its own. */
    channels: z.array(z.string()),
    environments: z.custom<ImageEnvironment[]>(),
    startupCommands: z.custom<StartupCommand[]>(),
    userConfiguration: z.custom<UserConfiguration>(),
    files: z.array(z.string()).max(limits.filesPerImage),
    filePaths: z.custom<Record<string, string>>(),
    buildArguments: z.custom<BuildArgument[]>(),
    /** Those that are stored come without their values. */
    buildSecrets: z.custom<BuildSecret[]>(),
    force_pull_base: z.boolean(),
    push_after_build: z.boolean(),
  })
  .superRefine((values, context) => {
    const refuse = (path: string, message = 'required') => context.addIssue({ code: 'custom', path: [path], message });
    if (values.creationType === 'writeDockerfile' && values.dockerfile.trim() === '') refuse('dockerfile');
    if (values.creationType === 'pullAnImage' && values.dockerImageName === '') refuse('dockerImageName');
    const passOn = (schema: z.ZodType, field: keyof typeof values) => {
      for (const { path, message } of schema.safeParse(values[field], { error: asKey }).error?.issues ?? [])
        context.addIssue({ code: 'custom', path: [field, ...path], message: keyOfSentence(message) });
    };
    if (values.creationType !== 'pullAnImage') passOn(filePathsSchema, 'filePaths');
    if (values.creationType === 'writeDockerfile') {
      passOn(buildArgumentsSchema, 'buildArguments');
      passOn(buildSecretsSchema, 'buildSecrets');
    }
    if (values.creationType !== 'generateDockerfile') return;
    if (values.baseImage === '') refuse('baseImage');
    else if (!parseImageName(values.baseImage)) refuse('baseImage', 'invalidDockerImageName');
    passOn(channelsSchema, 'channels');
    passOn(environmentsSchema, 'environments');
    passOn(startupCommandsSchema, 'startupCommands');
    passOn(userConfigurationSchema, 'userConfiguration');
  });
export type ImageValues = z.infer<typeof imageSchema>;

const NO_USER: UserConfiguration = { isAdded: false, uid: null, name: '', gid: null, group: '' };

/** Where the form says what is wrong with the reference that is made of its fields. */
export function referenceFields(type: ImageValues['creationType']) {
  const field = type === 'pullAnImage' ? 'dockerImageName' : 'name';
  return { repository: field, tag: field } as const;
}

export function emptyImage(creationType: ImageValues['creationType'], dockerfile: string): ImageValues {
  return {
    creationType,
    name: '',
    description: '',
    tags: [],
    build_on: '',
    dockerImageName: '',
    dockerfile: creationType === 'writeDockerfile' ? dockerfile : '',
    baseImage: creationType === 'generateDockerfile' ? DEFAULT_BASE_IMAGE : '',
    channels: [],
    environments: [],
    startupCommands: [],
    userConfiguration: NO_USER,
    files: [],
    filePaths: {},
    buildArguments: [],
    buildSecrets: [],
    force_pull_base: false,
    push_after_build: false,
  };
}

export function toValues(image: ImageRecord): ImageValues {
  const { creationType, name, description, build_on, dockerImageName, dockerfile, force_pull_base, push_after_build } =
    image;
  return {
    ...{ creationType, name, description, build_on, dockerImageName, dockerfile, force_pull_base, push_after_build },
    tags: image.tags,
    baseImage: image.baseImage,
    channels: image.channels ?? [],
    environments: image.environments ?? [],
    startupCommands: image.startupCommands ?? [],
    userConfiguration: image.userConfiguration ?? NO_USER,
    files: image.files,
    filePaths: image.filePaths ?? {},
    buildArguments: image.buildArguments ?? [],
    buildSecrets: image.buildSecrets ?? [],
  };
}
