import { type ImageRecipe, type PackageSources, type RecipeSource, writeDockerfile } from './generate-image';
import { type ContextText, listTexts } from './recipe-texts';

const FOLDER = '/recipe';

/**
 * The same image from one Dockerfile that reads nothing but the image's own files: a stage of it writes the rest. For people
 * who go on by hand.
 */
export function writeStandalone(recipe: ImageRecipe, sources: PackageSources): string {
  const texts = listTexts(recipe);
  const source: RecipeSource = {
    mount: (path) => `from=recipe,source=${FOLDER}/${path}`,
    copy: (path) => `--from=recipe ${FOLDER}/${path}`,
    files: '',
    lines: texts.length > 0 ? [`FROM ${recipe.baseImage} AS recipe`, 'USER 0:0', ...texts.map(writeText), ''] : [],
  };
  return writeDockerfile(recipe, sources, source);
}

function writeText({ path, text, mode }: ContextText): string {
  const target = `${FOLDER}/${path}`;
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `    '${escapeText(line)}'`);
  const folder = target.slice(0, target.lastIndexOf('/'));
  const rights = mode === 0o755 ? ` && chmod 755 ${target}` : '';
  return [
    `RUN mkdir -p ${folder} && printf '%b\\n' \\`,
    ...lines.map((line) => `${line} \\`),
    `    >${target}${rights}`,
  ].join('\n');
}

/** For `%b` of printf between single quotes: nothing is left that a shell or a builder reads. */
function escapeText(line: string): string {
  return [...Buffer.from(line)].map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : octal(byte))).join('');
}

function isPlain(byte: number): boolean {
  return /[A-Za-z0-9 ._/:=,+@%()[\]{};|&>*?!~^"-]/.test(String.fromCharCode(byte)) && byte < 127;
}

function octal(byte: number): string {
  return `\\0${byte.toString(8).padStart(3, '0')}`;
}
