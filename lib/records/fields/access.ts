import type { Field } from './field';

/** A field that leaves the console. */
export interface Shown {
  readonly leaves: true;
}

/** A field that leaves, but not to everyone: a reader may find it absent. */
export interface Restricted {
  readonly isRestricted: true;
}

/** The field leaves the console; what no wrapper of these names stays hidden. */
export function shown<F extends Field>(field: F): F & Shown {
  return { ...field, leaves: true };
}

/** The field leaves, and filters and sorts may name it. */
export function searched<F extends Field>(field: F): F & Shown {
  return { ...field, leaves: true, isSearchable: true };
}

/** Filters and sorts may name the field, and it does not leave. */
export function searchedOnly<F extends Field>(field: F): F {
  return { ...field, isSearchable: true };
}

/**
 * Filters, sorts and shows the value only where a boolean field of the record is set, unless the caller is an admin. That
 * it is not shown otherwise is the collection's `present` to do.
 */
export function visibleWhen<F extends Field>(flag: string, field: F): F & Restricted {
  return { ...field, visibleWhen: flag, isRestricted: true };
}

/** Filters, sorts and shows the value only on the caller's own record of an account collection, unless the caller is an admin. */
export function ownOnly<F extends Field>(field: F): F & Restricted {
  return { ...field, isPrivate: true, isRestricted: true };
}
