/** A record as it is stored, keyed by wire name. */
export type RowOf<T> = T extends { $inferSelect: infer Row } ? Row : never;

/** What a new record may be given; the rest takes its column's default. */
export type ValuesOf<T> = T extends { $inferInsert: infer Values }
  ? Omit<Values, 'id' | 'created' | 'updated'> & { id?: string }
  : never;
