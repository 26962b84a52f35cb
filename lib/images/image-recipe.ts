import 'server-only';
import type { ZodType } from 'zod';
import { env } from '@/lib/env';
import { AppError, type FieldProblems, problemsOf } from '@/lib/errors';
import { readEnvironments } from '@/lib/vocabulary/image-environments';
import {
  channelsSchema,
  environmentsSchema,
  startupCommandsSchema,
  userConfigurationSchema,
} from '@/lib/vocabulary/image-schemas';
import type { BuildLock, LockedEnvironment } from '@/lib/vocabulary/build-lock';
import type { ImageRow } from './collection';
import type { RecipeEnvironment } from './generator/requirements';
import { toExactRequirements, toExplicitList, writeLockText } from './locks/lock-text';
import type { ImageRecipe, PackageSources } from './generator/generate-image';
import { checkRecipe, type RecipeParts } from './recipe-checks';

export type RecipeRow = Pick<
  ImageRow,
  'baseImage' | 'channels' | 'environments' | 'startupCommands' | 'userConfiguration'
>;

/** Where this site's packages come from. */
export function packageSources(): PackageSources {
  const { pypiIndexUrl, condaUrl, micromambaImage } = env();
  return { pypiIndexUrl, condaUrl, micromambaImage };
}

/**
 * What an image is generated from; with a lock, its environments are those of the lock. Throws `invalid` at the field for what an
 * older console has let through.
 */
export function readRecipe(row: RecipeRow, filePaths: readonly string[], lock?: BuildLock): ImageRecipe {
  const fields: FieldProblems = {};
  const take = <T>(field: keyof RecipeRow, schema: ZodType<T>, value: unknown): T => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    const { whole, fields: parts } = problemsOf(read.error);
    fields[field] = whole ?? parts;
    return value as T;
  };
  const parts = {
    channels: take('channels', channelsSchema, row.channels ?? []),
    environments: lock
      ? lock.environments.map(toExactEnvironment)
      : take('environments', environmentsSchema, readEnvironments(row.environments)),
    startupCommands: take('startupCommands', startupCommandsSchema, row.startupCommands ?? []),
  };
  const { baseImage, userConfiguration } = row;
  const user = userConfiguration && take('userConfiguration', userConfigurationSchema, userConfiguration);
  if (Object.keys(fields).length === 0) Object.assign(fields, checkRecipe(parts));
  if (Object.keys(fields).length > 0) {
    throw new AppError('invalid', 'The Dockerfile of the image can not be generated. Look at its fields.', { fields });
  }
  return { baseImage, ...parts, userConfiguration: user, filePaths };
}

function toExactEnvironment(environment: LockedEnvironment): RecipeEnvironment {
  const exact = {
    conda: toExplicitList(environment),
    requirements: toExactRequirements(environment),
    lock: writeLockText(environment),
  };
  return { name: environment.name, channels: [], packages: [], exact };
}

/** The parts of a row that speak of one another; undefined while one of them is not right by itself. */
export function readParts(row: RecipeRow): RecipeParts | undefined {
  const [channels, environments, startupCommands] = [
    channelsSchema.safeParse(row.channels ?? []),
    environmentsSchema.safeParse(readEnvironments(row.environments)),
    startupCommandsSchema.safeParse(row.startupCommands ?? []),
  ];
  if (!channels.success || !environments.success || !startupCommands.success) return undefined;
  return { channels: channels.data, environments: environments.data, startupCommands: startupCommands.data };
}
