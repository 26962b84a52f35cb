/** A name without the number at its end. */
export const stemOf = (name: string): string => name.replace(/-\d+$/, '');

/** The name with the first number that no other has. */
export function freeName(name: string, taken: readonly string[]): string {
  const known = new Set([name, ...taken]);
  for (let number = 2; ; number += 1) {
    const next = `${stemOf(name).slice(0, 90)}-${number}`;
    if (!known.has(next)) return next;
  }
}
