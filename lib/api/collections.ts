import type { Collection } from '@/lib/records/collection';
import { registerCollections } from '@/lib/records/registry';
import { areas } from './areas';

/** A collection of one of the areas. */
export type DeclaredCollection = (typeof areas)[number]['collections'][number];

/** Every collection of the console. Importing this file makes them known to the record engine. */
export const collections: readonly Collection[] = areas.flatMap((area): readonly Collection[] => area.collections);

registerCollections(collections);
