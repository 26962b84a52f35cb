import type { imagesTable } from '@/db/schema/images';
import type { FieldProblems } from '@/lib/errors';
import { plainPath } from '@/lib/vocabulary/paths';
import type { CheckContext, RowOf } from '@/lib/records/collection';
import { checkUse } from '@/lib/records/attached';
import { files } from '@/lib/files/collection';
import { filePathsSchema } from '@/lib/vocabulary/image-schemas';

type Context = CheckContext<RowOf<typeof imagesTable>>;

/** An image's files: seen by the caller, each at a path of its own. Files without a path are kept beside the image. */
export function checkImageFiles({ actor, tx, row, before, sent }: Context): FieldProblems {
  const problems: FieldProblems = {};
  if (sent.has('files')) {
    const refusal = 'You do not have permission to use this file.';
    const refused = checkUse(files, { actor, tx, ids: row.files, known: before?.files, act: 'view', refusal });
    if (refused) problems.files = refused;
  }
  if (sent.has('files') || sent.has('filePaths')) {
    const paths = checkPaths(row.files, row.filePaths);
    if (paths) problems.filePaths = paths;
  }
  return problems;
}

function checkPaths(ids: readonly string[], filePaths: unknown): FieldProblems | undefined {
  const parsed = filePathsSchema.safeParse(filePaths ?? {});
  if (!parsed.success) return undefined;
  const problems: FieldProblems = {};
  const taken = new Set<string>();
  for (const [id, given] of Object.entries(parsed.data)) {
    const path = plainPath(given);
    if (!ids.includes(id)) problems[id] = { code: 'validation_invalid_value', message: 'The image has no such file.' };
    else if (path !== '' && taken.has(path)) {
      problems[id] = { code: 'validation_duplicate', message: 'Duplicate file path.' };
    }
    taken.add(path);
  }
  return Object.keys(problems).length > 0 ? problems : undefined;
}

/** Paths of files that were taken off go with them, unless the caller speaks of paths. */
export function dropUnusedFilePaths({ row, sent }: Context): void {
  if (!sent.has('files') || sent.has('filePaths') || !row.filePaths) return;
  row.filePaths = Object.fromEntries(Object.entries(row.filePaths).filter(([id]) => row.files.includes(id)));
}
