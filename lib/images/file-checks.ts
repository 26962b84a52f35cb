import type { imagesTable } from '@/db/schema/images';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import type { CheckContext, RowOf } from '@/lib/records/collection';
import { checkUse } from '@/lib/records/attached';
import { files } from '@/lib/files/collection';
import { filePathsSchema } from '@/lib/vocabulary/image-schemas';
import { DUPLICATE_FILENAME } from '@/lib/vocabulary/image-words';
import { isAbsolutePath } from '@/lib/vocabulary/paths';
import { type PlacedFile, placeFiles } from './context-files';

type Context = CheckContext<RowOf<typeof imagesTable>>;

/** An image's files: seen by the caller, each at a path of its own. Those without a path go by their names. */
export function checkImageFiles(context: Context): FieldProblems {
  const { actor, tx, row, before, sent } = context;
  const problems: FieldProblems = {};
  if (sent.has('files')) {
    const refusal = 'You do not have permission to use this file.';
    const refused = checkUse(files, { actor, tx, ids: row.files, known: before?.files, act: 'view', refusal });
    if (refused) problems.files = refused;
  }
  if (!before || sent.has('files') || sent.has('filePaths') || before.creationType !== row.creationType) {
    const paths = checkPaths(context);
    if (paths) problems.filePaths = paths;
  }
  return problems;
}

function checkPaths({ tx, row }: Context): FieldProblems | undefined {
  const parsed = filePathsSchema.safeParse(row.filePaths ?? {});
  if (!parsed.success || row.creationType === 'pullAnImage') return undefined;
  const problems: FieldProblems = {};
  for (const id of Object.keys(parsed.data)) {
    if (!row.files.includes(id)) problems[id] = invalid('The image has no such file.');
  }
  const taken = new Set<string>();
  const placed = placeFiles(row, tx);
  for (const each of placed) {
    const problem = checkPlace(each, { taken, isWritten: row.creationType === 'writeDockerfile' });
    if (problem) problems[each.file.id] ??= problem;
    taken.add(each.path);
  }
  for (const { file, path } of placed) {
    const isFolder = placed.some((other) => other.path.startsWith(`${path}/`));
    if (isFolder) problems[file.id] ??= invalid('Another file lies in a folder of this name.');
  }
  return Object.keys(problems).length > 0 ? problems : undefined;
}

function checkPlace(
  { file, path }: PlacedFile,
  { taken, isWritten }: { taken: ReadonlySet<string>; isWritten: boolean },
): FieldProblem | undefined {
  // Only a name can be that, where no path was said.
  const isName = path.endsWith(`/${file.name}`) && file.name.includes('/');
  if (path === '/') return invalid('Name the file in its path.');
  if (!isAbsolutePath(path) || isName) return invalid('Give the file a path: its name can not be part of one.');
  if (isWritten && path === '/Dockerfile') return invalid("The image's own Dockerfile lies there.");
  return taken.has(path) ? { code: 'validation_duplicate', message: DUPLICATE_FILENAME } : undefined;
}

function invalid(message: string): FieldProblem {
  return { code: 'validation_invalid_value', message };
}

/** Paths of files that were taken off go with them, unless the caller speaks of paths. */
export function dropUnusedFilePaths({ row, sent }: Context): void {
  if (!sent.has('files') || sent.has('filePaths') || !row.filePaths) return;
  row.filePaths = Object.fromEntries(Object.entries(row.filePaths).filter(([id]) => row.files.includes(id)));
}
