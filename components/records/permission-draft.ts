export interface PermissionFlag {
  key: string;
  label: string;
  hint: string;
}

/** What one user is to hold: the flags by key, and the record behind it where there is one. */
export interface PermissionRow {
  userId: string;
  recordId: string | undefined;
  flags: Record<string, boolean>;
  isRemoved: boolean;
}

export interface PermissionChanges {
  created: PermissionRow[];
  updated: PermissionRow[];
  removed: PermissionRow[];
}

/** What is stored, as rows: permission records hold a boolean per flag. */
export function rowsOf(records: readonly { id: string; user: string }[], flags: PermissionFlag[]): PermissionRow[] {
  return records.map((record) => ({
    userId: record.user,
    recordId: record.id,
    flags: Object.fromEntries(flags.map(({ key }) => [key, (record as Record<string, unknown>)[key] === true])),
    isRemoved: false,
  }));
}

/** What a draft changes of what is stored. */
export function changesOf(stored: PermissionRow[], draft: PermissionRow[]): PermissionChanges {
  const isChanged = (row: PermissionRow) => {
    const before = stored.find((each) => each.recordId === row.recordId);
    return Object.keys(row.flags).some((key) => row.flags[key] !== before?.flags[key]);
  };
  return {
    created: draft.filter((row) => !row.recordId && !row.isRemoved),
    updated: draft.filter((row) => row.recordId && !row.isRemoved && isChanged(row)),
    removed: draft.filter((row) => row.recordId && row.isRemoved),
  };
}
