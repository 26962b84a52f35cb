import { type GeneratedImage, type ImageRecipe, type PackageSources, writeCheck } from './generate-image';
import { listTexts } from './recipe-texts';

/**
 * The Dockerfile and the build context that find out whether the environments of an image can be had, without keeping one: each is
 * resolved in a stage of its own, and nothing of it is in the result.
 */
export function generateCheck(recipe: ImageRecipe, sources: PackageSources): GeneratedImage {
  const only: ImageRecipe = { ...recipe, startupCommands: [], userConfiguration: null, filePaths: [] };
  return { dockerfile: writeCheck(only, sources), files: listTexts(only) };
}
