/** What the disk under the data folder refused, by the code that SQLite or the system says it with; in words for people. */
const words: readonly [RegExp, string][] = [
  [
    /^(SQLITE_FULL|ENOSPC|EDQUOT)$/,
    "The console's disk is full. Nothing was saved. Free some space and try again; nothing has to be restarted.",
  ],
  [/^(SQLITE_READONLY|EROFS)/, "The console's data folder can't be written. Nothing was saved."],
  [/^(SQLITE_CORRUPT|SQLITE_NOTADB)/, "The console's database is damaged. Stop the console and restore a backup."],
  [/^(SQLITE_IOERR|EIO$)/, "The console's disk can't be read or written. Nothing was saved."],
  [/^SQLITE_BUSY/, "The console's database is in use by another program. Nothing was saved; try again."],
];

/** The code of a failure of SQLite or the system, however deep in the causes. */
export function storageCodeOf(error: unknown): string | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    const { code } = each as NodeJS.ErrnoException;
    if (typeof code === 'string' && /^(SQLITE_|E[A-Z]+$)/.test(code)) return code;
  }
  return undefined;
}

/** What to tell people about a failure of the disk or the database; undefined for any other. */
export function describeStorageFault(error: unknown): string | undefined {
  const code = storageCodeOf(error);
  return code === undefined ? undefined : words.find(([pattern]) => pattern.test(code))?.[1];
}
