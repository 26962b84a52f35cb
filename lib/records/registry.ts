import type { Collection } from './collection';

const byName = new Map<string, Collection>();
const byId = new Map<string, Collection>();

/** Makes collections known to paths, relations and back-relations. */
export function registerCollections(collections: readonly Collection[]): void {
  for (const collection of collections) {
    byName.set(collection.name, collection);
    byId.set(collection.id, collection);
  }
}

/** The collection of that exact name, as relations name it. */
export function collectionNamed(name: string): Collection | undefined {
  return byName.get(name);
}

/** The collection that a path or topic names, by id or name. Names in paths match in any case. */
export function findCollection(idOrName: string, { anyCase = false } = {}): Collection | undefined {
  return byId.get(idOrName) ?? byName.get(anyCase ? idOrName.toLowerCase() : idOrName);
}

export function allCollections(): Collection[] {
  return [...byName.values()];
}
