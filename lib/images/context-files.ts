import 'server-only';
import { files } from '@/lib/files/collection';
import type { ContextFileSpec } from '@/lib/protocol/specs/job';
import type { RowOf } from '@/lib/records/collection';
import type { StoreReader } from '@/lib/records/transaction';
import { limits } from '@/lib/vocabulary/limits';
import { plainPath } from '@/lib/vocabulary/paths';
import type { ImageRow } from './collection';
import { requireHash } from './file-hashes';
import { FILES_FOLDER } from './generator/generate-image';

type FileRow = RowOf<typeof files.table>;

type FilesOfImage = Pick<ImageRow, 'files' | 'filePaths' | 'creationType'>;

/** A file of an image, and where it lies: in the image that is generated, or in the build context of a written Dockerfile. */
export interface PlacedFile {
  file: FileRow;
  /** Absolute. */
  path: string;
}

/** Where files lie in a generated image whose paths nobody said. */
const UNSAID = '/opt/berth/files';
const FILE_MODE = 0o644;

/** An image's files by their places; those without a path go by their names. */
export function placeFiles({ files: ids, filePaths, creationType }: FilesOfImage, reader: StoreReader): PlacedFile[] {
  const folder = creationType === 'generateDockerfile' ? UNSAID : '';
  return ids.flatMap((id) => {
    const file = reader.get(files, id);
    if (!file) return [];
    const said: unknown = filePaths?.[id];
    const path = plainPath(typeof said === 'string' ? said : '') || `${folder}/${file.name}`;
    return [{ file, path }];
  });
}

/** The same as the host is asked for them. Throws `conflict` for an upload that came while the build was asked for. */
export function toContextFiles(placed: readonly PlacedFile[], creationType: string): ContextFileSpec[] {
  const folder = creationType === 'generateDockerfile' ? FILES_FOLDER : '';
  return placed.map(({ file, path }) => {
    const at = { path: `${folder}${path}`.replace(/^\//, ''), mode: FILE_MODE };
    if (file.type === 'external') return { from: 'web', ...at, url: file.url, maxBytes: limits.externalFileBytes };
    return { from: 'console', ...at, file: file.id, name: file.file, ...requireHash(file) };
  });
}
