import type { GroupRecord, PermissionRecord, UserRecord } from '@/components/data/types';

export interface PermissionFlag {
  key: string;
  label: string;
  hint: string;
}

/** A person or a group: either may hold a permission. */
export type Holder =
  | { kind: 'user'; id: string; user: UserRecord | undefined }
  | { kind: 'group'; id: string; group: GroupRecord | undefined };

/** What one person or group is to hold: the flags by key, and the record behind it where there is one. */
export interface PermissionRow {
  holder: Holder;
  recordId: string | undefined;
  flags: Record<string, boolean>;
  isRemoved: boolean;
}

export interface PermissionChanges {
  created: PermissionRow[];
  updated: PermissionRow[];
  removed: PermissionRow[];
}

/** What waits to be saved, by holder. */
export type PermissionEdits = Readonly<Record<string, PermissionRow>>;

export function rowsOf(records: PermissionRecord[], flags: PermissionFlag[]): PermissionRow[] {
  return records.map((record) => ({
    holder: holderOf(record),
    recordId: record.id,
    flags: Object.fromEntries(flags.map(({ key }) => [key, (record as Record<string, unknown>)[key] === true])),
    isRemoved: false,
  }));
}

export function holderOf({ user, group, expand }: PermissionRecord): Holder {
  return group === ''
    ? { kind: 'user', id: user, user: expand?.user }
    : { kind: 'group', id: group, group: expand?.group };
}

/** What is stored with what waits: those who were added come last. */
export function rowsWith(stored: PermissionRow[], edits: PermissionEdits): PermissionRow[] {
  const known = new Set(stored.map((row) => row.holder.id));
  const added = Object.values(edits).filter((row) => !known.has(row.holder.id));
  return [...stored.map((row) => edits[row.holder.id] ?? row), ...added];
}

/** The edits after one more; whoever was only added here is forgotten again when removed. */
export function withEdit(edits: PermissionEdits, row: PermissionRow): PermissionEdits {
  const { [row.holder.id]: _before, ...others } = edits;
  return row.isRemoved && !row.recordId ? others : { ...others, [row.holder.id]: row };
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
