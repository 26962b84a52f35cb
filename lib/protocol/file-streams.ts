import { z } from 'zod';

/**
 * Questions about the inside of a workspace's container, from protocol 5 on. `fileList` and `fileWrite` are answered with
 * one JSON text; `fileRead` with a JSON line, and after it the bytes.
 */

const PATH_MAX = 4096;
export const filePathSchema = z.string().min(1).max(PATH_MAX).startsWith('/');

export const openFileListSchema = z.object({
  kind: z.literal('fileList'),
  workspaceId: z.string(),
  path: filePathSchema,
});
/** A file as it is, a folder as a tar. */
export const openFileReadSchema = z.object({
  kind: z.literal('fileRead'),
  workspaceId: z.string(),
  path: filePathSchema,
});
/** Exactly `size` bytes follow; what is there before the last of them has come stays as it was. */
export const newFileShape = {
  /** Of the folder, which has to be there. */
  path: filePathSchema,
  name: z.string().min(1).max(255),
  size: z.int().min(0),
  /** Whether it may take the place of a file of its name. */
  replaces: z.boolean(),
};
export const openFileWriteSchema = z.object({
  kind: z.literal('fileWrite'),
  workspaceId: z.string(),
  ...newFileShape,
});
export type OpenFileList = z.infer<typeof openFileListSchema>;
export type OpenFileRead = z.infer<typeof openFileReadSchema>;
export type OpenFileWrite = z.infer<typeof openFileWriteSchema>;
export type OpenFiles = OpenFileList | OpenFileRead | OpenFileWrite;

export function isFilesOpen<T extends { kind: string }>(open: T | OpenFiles): open is OpenFiles {
  return open.kind === 'fileList' || open.kind === 'fileRead' || open.kind === 'fileWrite';
}

export const fileKindSchema = z.enum(['file', 'folder', 'link', 'device', 'other']);
export type FileKind = z.infer<typeof fileKindSchema>;

export const fileEntrySchema = z.object({
  name: z.string(),
  kind: fileKindSchema,
  /** Bytes, of a file. */
  size: z.number().min(0),
  /** When its content changed, in seconds since the Unix epoch. */
  changed: z.number(),
  /** False where the name is no UTF-8: it is shown as well as it can be, and no path leads to it. */
  isNameWhole: z.boolean(),
});
export type FileEntry = z.infer<typeof fileEntrySchema>;

export const fileListingSchema = z.object({
  /** What the path leads to, links followed. Only folders have entries. */
  kind: fileKindSchema,
  size: z.number().min(0),
  changed: z.number(),
  entries: z.array(fileEntrySchema),
  /** False where there is more than was read. */
  isWhole: z.boolean(),
});
export type FileListing = z.infer<typeof fileListingSchema>;

export const fileHeadSchema = z.object({
  kind: z.enum(['file', 'folder']),
  /** Of a file; null where it is known only at the end. */
  size: z.number().min(0).nullable(),
});
export type FileHead = z.infer<typeof fileHeadSchema>;

export const fileWrittenSchema = z.object({ written: z.int().min(0) });

/** Instead of an answer. */
export const refusedSchema = z.object({
  refused: z.object({
    code: z.enum(['missing', 'invalid', 'exists', 'container', 'busy', 'full', 'failed']),
    message: z.string(),
  }),
});
export type RefusedCode = z.infer<typeof refusedSchema>['refused']['code'];

/** Longer answers are none. */
export const ANSWER_MAX_BYTES = 4 * 1024 * 1024;
