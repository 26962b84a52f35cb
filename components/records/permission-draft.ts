import type { PermissionRecord, UserRecord } from '@/components/data/types';

export interface PermissionFlag {
  key: string;
  label: string;
  hint: string;
}

/** What one user is to hold: the flags by key, and the record behind it where there is one. */
export interface PermissionRow {
  userId: string;
  user: UserRecord | undefined;
  recordId: string | undefined;
  flags: Record<string, boolean>;
  isRemoved: boolean;
}

export interface PermissionChanges {
  created: PermissionRow[];
  updated: PermissionRow[];
  removed: PermissionRow[];
}

/** What waits to be saved, by user. */
export type PermissionEdits = Readonly<Record<string, PermissionRow>>;

export function rowsOf(records: PermissionRecord[], flags: PermissionFlag[]): PermissionRow[] {
  return records.map((record) => ({
    userId: record.user,
    user: record.expand?.user,
    recordId: record.id,
    flags: Object.fromEntries(flags.map(({ key }) => [key, (record as Record<string, unknown>)[key] === true])),
    isRemoved: false,
  }));
}

/** What is stored with what waits: people who were added come last. */
export function rowsWith(stored: PermissionRow[], edits: PermissionEdits): PermissionRow[] {
  const known = new Set(stored.map((row) => row.userId));
  const added = Object.values(edits).filter((row) => !known.has(row.userId));
  return [...stored.map((row) => edits[row.userId] ?? row), ...added];
}

/** The edits after one more; a person who was only added here is forgotten again when removed. */
export function withEdit(edits: PermissionEdits, row: PermissionRow): PermissionEdits {
  const { [row.userId]: _before, ...others } = edits;
  return row.isRemoved && !row.recordId ? others : { ...others, [row.userId]: row };
}

/** What the edits change of what is stored. */
export function changesOf(stored: PermissionRow[], edits: PermissionEdits): PermissionChanges {
  const rows = Object.values(edits);
  const isChanged = (row: PermissionRow) => {
    const before = stored.find((each) => each.recordId === row.recordId);
    return Object.keys(row.flags).some((key) => row.flags[key] !== before?.flags[key]);
  };
  return {
    created: rows.filter((row) => !row.recordId && !row.isRemoved),
    updated: rows.filter((row) => row.recordId && !row.isRemoved && isChanged(row)),
    removed: rows.filter((row) => row.recordId && row.isRemoved),
  };
}
