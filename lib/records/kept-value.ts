import 'server-only';
import { versionOf } from '@/db/versions';
import { singleton } from '@/lib/singleton';

/** A reader of something that is asked for all the time: read again only once one of the collections has changed. */
export function keptUntilChange<T>(name: string, collections: readonly string[], read: () => T): () => T {
  return () => {
    const kept = singleton(`kept-${name}`, () => ({ version: '', value: undefined as T | undefined }));
    const version = versionOf(collections);
    if (kept.version !== version) Object.assign(kept, { version, value: read() });
    return kept.value as T;
  };
}
