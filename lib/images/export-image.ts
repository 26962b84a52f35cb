import 'server-only';
import { z } from 'zod';
import { AppError, fieldError } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { StoreReader } from '@/lib/records/transaction';
import type { ImageEnvironment } from '@/lib/vocabulary/image';
import { toEnvironmentYml, toRequirementsTxt } from './carry/export-lists';
import { images, type ImageRow } from './collection';
import { placeFiles } from './context-files';
import type { ImageRecipe } from './generator/generate-image';
import { writeStandalone } from './generator/standalone';
import { packageSources, readRecipe } from './image-recipe';

export const EXPORTS = ['requirements.txt', 'environment.yml', 'Dockerfile'] as const;
export const exportQuerySchema = z.object({
  format: z.enum(EXPORTS),
  /** The only one, where left out. */
  environment: z.string().max(100).default(''),
});

export interface ExportedFile {
  name: string;
  text: string;
}

interface ExportRequest extends z.output<typeof exportQuerySchema> {
  imageId: string;
}

/**
 * What an image is made of, as a file of another tool. Throws `not_found` where the actor doesn't see the image, `invalid` where it
 * has no such file.
 */
export function exportImage(actor: Actor, { imageId, format, environment }: ExportRequest): ExportedFile {
  const image = requireAct(actor, { collection: images, id: imageId, act: 'view' });
  if (image.creationType === 'pullAnImage') {
    throw fieldError('format', 'validation_invalid_value', 'A pulled image is not made of lists or of a Dockerfile.');
  }
  if (image.creationType === 'writeDockerfile') {
    if (format === 'Dockerfile') return { name: 'Dockerfile', text: image.dockerfile };
    throw fieldError('format', 'validation_invalid_value', 'A written Dockerfile has no lists of packages.');
  }
  const recipe = recipeOf(image);
  if (format === 'Dockerfile') return { name: 'Dockerfile', text: writeStandalone(recipe, packageSources()) };
  const named = findEnvironment(recipe, environment);
  if (format === 'environment.yml') return { name: format, text: toEnvironmentYml(named, recipe.channels) };
  return { name: format, text: toRequirementsTxt(named) };
}

function recipeOf(image: ImageRow): ImageRecipe {
  return readRecipe(
    image,
    placeFiles(image, new StoreReader()).map(({ path }) => path),
  );
}

function findEnvironment({ environments }: ImageRecipe, name: string): ImageEnvironment {
  const found =
    name === '' && environments.length === 1 ? environments[0] : environments.find((each) => each.name === name);
  if (found) return found;
  if (environments.length === 0) throw new AppError('not_found', 'The image has no packages.');
  if (name !== '') throw new AppError('not_found', `The image has no environment ${name}.`);
  throw fieldError('environment', 'validation_required', 'Say which of the environments.');
}
