import 'server-only';
import { normalizeName, ownTag } from '@/lib/protocol/image-names';
import type { StoreReader } from '@/lib/records/transaction';
import { builds } from './builds';
import type { ImageRow } from './collection';

/** A build that went well: its number, and the engine id of what it made. */
export interface GoodBuild {
  number: number;
  engineId: string;
  /** `repository@digest`, by which a registry gives it; empty where none does. */
  pulledBy: string;
  /** Taken off its host, as later ones came. */
  isGone: boolean;
  /** Where it was made. */
  hostId: string;
}

/** The newest good build of an image, or the one of that number; undefined where there is none. */
export function goodBuildOf(reader: StoreReader, image: ImageRow, number?: number): GoodBuild | undefined {
  const match = { image: image.id, status: 'build_finished', ...(number !== undefined && { number }) };
  const [build] = reader.find(builds, match, { orderBy: 'number', descending: true, limit: 1 });
  if (build && build.imageId !== '') {
    const { digest, reference, isGone } = build;
    const isPullable = digest !== '' && reference !== '';
    const pulledBy = isPullable ? `${normalizeName(reference).repository}@${digest}` : '';
    return { number: build.number, engineId: build.imageId, pulledBy, isGone, hostId: build.host };
  }
  const isThis = number === undefined || number === image.buildNumber;
  return isThis && image.imageId !== ''
    ? { number: image.buildNumber, engineId: image.imageId, pulledBy: '', isGone: false, hostId: image.build_on }
    : undefined;
}

/**
 * What hosts call the newest good build of an image, or the one of that number; of one that was never built, what they would call
 * it.
 */
export function goodTagOf(reader: StoreReader, image: ImageRow, number = 0): string {
  return ownTag(image.id, goodBuildOf(reader, image, number || undefined)?.number ?? image.buildNumber);
}

/** By what the very build is pulled, whatever has the image's name by now. */
export interface Pinned {
  pulledBy?: string;
}

/** An image as it was with the good build of that number, which a registry gives by its digest; as it is with 0. */
export function asOfBuild(reader: StoreReader, image: ImageRow, number: number): ImageRow & Pinned {
  const build = number > 0 ? goodBuildOf(reader, image, number) : undefined;
  return build ? { ...image, imageId: build.engineId, build_on: build.hostId, pulledBy: build.pulledBy } : image;
}
