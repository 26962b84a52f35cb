import 'server-only';
import { ownTag } from '@/lib/protocol/image-names';
import type { StoreReader } from '@/lib/records/transaction';
import { builds } from './builds';
import type { ImageRow } from './collection';

/** A build that went well: its number, and the engine id of what it made. */
export interface GoodBuild {
  number: number;
  engineId: string;
}

/** The newest good build of an image, or the one of that number; undefined where there is none. */
export function goodBuildOf(reader: StoreReader, image: ImageRow, number?: number): GoodBuild | undefined {
  const match = { image: image.id, status: 'build_finished', ...(number !== undefined && { number }) };
  const [build] = reader.find(builds, match, { orderBy: 'number', descending: true, limit: 1 });
  if (build && build.imageId !== '') return { number: build.number, engineId: build.imageId };
  const isThis = number === undefined || number === image.buildNumber;
  return isThis && image.imageId !== '' ? { number: image.buildNumber, engineId: image.imageId } : undefined;
}

/** What hosts call the newest good build of an image; of one that was never built, what they would call it. */
export function goodTagOf(reader: StoreReader, image: ImageRow): string {
  return ownTag(image.id, goodBuildOf(reader, image)?.number ?? image.buildNumber);
}
