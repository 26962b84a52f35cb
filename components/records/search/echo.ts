/**
 * What was told and not heard back yet, once a value came: undefined where it is nothing that was told, but was chosen elsewhere.
 * Values come in the order in which they were told; some may be skipped.
 */
export function stillUnheard(told: readonly string[], value: string): readonly string[] | undefined {
  const at = told.indexOf(value);
  return at < 0 ? undefined : told.slice(at + 1);
}
