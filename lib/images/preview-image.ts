import 'server-only';
import { z } from 'zod';
import { AppError, type FieldProblems } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import type { RequestContext } from '@/lib/http/context';
import { holdsMore } from '@/lib/records/fields/json';
import { DEFAULT_BASE_IMAGE } from '@/lib/vocabulary/image';
import { INVALID_IMAGE_NAME, parseImageName } from '@/lib/vocabulary/image-name';
import {
  channelsSchema,
  environmentsSchema,
  startupCommandsSchema,
  userConfigurationSchema,
} from '@/lib/vocabulary/image-schemas';
import { limits } from '@/lib/vocabulary/limits';
import { isAbsolutePath, plainPath } from '@/lib/vocabulary/paths';
import { generateImage, type GeneratedImage } from './generator/generate-image';
import { writeStandalone } from './generator/standalone';
import { packageSources } from './image-recipe';
import { checkRecipe } from './recipe-checks';

export const previewSchema = z.strictObject({
  baseImage: z
    .string()
    .max(512)
    .refine((name) => parseImageName(name), INVALID_IMAGE_NAME)
    .default(DEFAULT_BASE_IMAGE),
  channels: channelsSchema.default([]),
  environments: environmentsSchema.default([]),
  startupCommands: startupCommandsSchema.default([]),
  userConfiguration: userConfigurationSchema.nullable().default(null),
  filePaths: z
    .array(
      z
        .string()
        .max(limits.pathLength)
        .refine((path) => isAbsolutePath(path) && path !== '/', 'Must be an absolute path without “..”.')
        .transform(plainPath),
    )
    .max(limits.filesPerImage)
    .default([])
    .describe('Where the image’s own files lie in it'),
  standalone: z
    .boolean()
    .default(false)
    .describe('One Dockerfile that needs no other file than the image’s own, for writing on by hand'),
});

export const previewAnswerSchema = z.strictObject({
  dockerfile: z.string(),
  files: z
    .array(z.strictObject({ path: z.string(), text: z.string(), mode: z.int() }))
    .describe('What the Dockerfile reads of the build’s folder, besides the image’s own files'),
});

/** A body, as long as a schema may look at each of its parts. Throws `invalid` and `too_large`. */
export async function readPreviewBody(context: RequestContext): Promise<Record<string, unknown>> {
  const body = await readSmallBody(context, limits.jsonFieldBytes);
  if (!holdsMore(body, limits.jsonFieldValues)) return body;
  throw new AppError('invalid', `The lists may hold no more than ${limits.jsonFieldValues} values.`);
}

/** Throws `invalid` where one list names what another doesn't have. Nothing is stored. */
export function previewImage({ standalone, ...recipe }: z.output<typeof previewSchema>): GeneratedImage {
  const fields: FieldProblems = checkRecipe(recipe);
  if (Object.keys(fields).length > 0) throw new AppError('invalid', 'The Dockerfile can not be generated.', { fields });
  const sources = packageSources();
  return standalone ? { dockerfile: writeStandalone(recipe, sources), files: [] } : generateImage(recipe, sources);
}
