import 'server-only';
import type { AnyRow, Collection, Viewer } from './collection';

/** A stored record as it leaves: the fields that the collection's output names, and nothing else. */
export function toWire(collection: Collection, row: AnyRow, viewer: Viewer): AnyRow {
  const wire: AnyRow = {
    id: row.id,
    collectionId: collection.id,
    collectionName: collection.name,
    created: row.created,
    updated: row.updated,
  };
  for (const [name, field] of collection.outputFields) {
    wire[name] = field.toWire ? field.toWire(row[name]) : (row[name] ?? field.unset);
  }
  collection.present?.(wire, row, viewer);
  return wire;
}
