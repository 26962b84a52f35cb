/** A number as it is typed: null where nothing is, NaN where it is none. */
export function readNumber(typed: unknown): number | null {
  if (typeof typed === 'number' || typed === null || typed === undefined) return typed ?? null;
  const text = String(typed).trim();
  return text === '' ? null : Number(text);
}
