import { z } from 'zod';
import { AppError, fieldError } from '@/lib/errors';
import { environmentsSchema, startupCommandsSchema } from '@/lib/vocabulary/image-schemas';
import { LIST_FILES, LIST_FILE_BYTES, listFileOf, type ListFile } from '@/lib/vocabulary/list-files';
import { readDockerfileLists } from './dockerfile-lists';
import { readEnvironmentYml } from './environment-yml';
import { readPyproject } from './pyproject-toml';
import type { ReadLists } from './read-list';
import { readRequirementsTxt } from './requirements-txt';

const readers: Record<ListFile, (text: string) => ReadLists> = {
  'requirements.txt': readRequirementsTxt,
  'environment.yml': readEnvironmentYml,
  'pyproject.toml': readPyproject,
  Dockerfile: readDockerfileLists,
};

/** As many lines as anybody reads. */
const MOST_LEFT_OUT = 500;

export const importSchema = z.strictObject({
  text: z
    .string()
    .min(1, 'Cannot be blank.')
    .refine((text) => Buffer.byteLength(text) <= LIST_FILE_BYTES, 'The file may have 50 KB.')
    .refine((text) => !text.includes('\u0000'), 'This is no text file.'),
  file: z.string().max(255).default('').describe('What the file is called; told by its text where left out'),
});

const environmentSchema = z.strictObject({
  ...environmentsSchema.element.shape,
  name: z.string().describe('Empty where the file has none'),
});

export const importAnswerSchema = z.strictObject({
  kind: z.enum(LIST_FILES),
  baseImage: z.string().describe('Empty where the file names none'),
  environments: z.array(environmentSchema),
  startupCommands: startupCommandsSchema,
  leftOut: z
    .array(z.strictObject({ line: z.int(), text: z.string(), reason: z.string() }))
    .describe('What an image can’t hold, by line; no more than a few hundred'),
  leftOutCount: z.int().describe('All that could not be taken'),
});

/** What an image can take over from a file of another tool, and what it can't. Throws `invalid` at `text`. */
export function importLists({ text, file }: z.output<typeof importSchema>): z.output<typeof importAnswerSchema> {
  const kind = listFileOf(file, text);
  const { leftOut, ...lists } = readIt(kind, text);
  const startupCommands = startupCommandsSchema.safeParse(lists.startupCommands);
  if (!startupCommands.success) {
    for (const { command } of lists.startupCommands) {
      leftOut.push({ line: 1, text: command.slice(0, 200), reason: 'The command can not be a startup command.' });
    }
  }
  return {
    kind,
    ...lists,
    startupCommands: startupCommands.data ?? [],
    leftOut: leftOut.slice(0, MOST_LEFT_OUT),
    leftOutCount: leftOut.length,
  };
}

function readIt(kind: ListFile, text: string): ReadLists {
  try {
    return readers[kind](text);
  } catch (error) {
    // A reader of nested text ends at the depth of the stack.
    const words = error instanceof RangeError ? 'The file can not be read: it is nested too deeply.' : undefined;
    if (words === undefined && !(error instanceof AppError)) throw error;
    throw fieldError('text', 'validation_invalid_file', words ?? (error as AppError).message);
  }
}
