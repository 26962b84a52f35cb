import { singleton } from '@/lib/singleton';

/** How often each collection has changed in this process: what was counted at a version stays true at that version. */
const versions = singleton('collection-versions', () => new Map<string, number>());

/** Told by the write queue after each commit, and by whoever writes a collection's table in another way. */
export function bumpVersion(collection: string): void {
  versions.set(collection, (versions.get(collection) ?? 0) + 1);
}

/** The versions of several collections as one text. */
export function versionOf(collections: Iterable<string>): string {
  let text = '';
  for (const name of collections) text += `${versions.get(name) ?? 0}.`;
  return text;
}
