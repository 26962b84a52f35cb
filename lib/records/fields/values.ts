import type { Problem } from './field';

/** A text or list as a list of texts: a text that holds a JSON list is read, duplicates and empties are dropped. */
export function castList(raw: unknown): string[] {
  const items = toItems(raw);
  return [...new Set(items.map(itemText))].filter((item) => item !== '');
}

/** The same for a field that takes so many: of more, enough are left to be refused, as checks look at each. */
export function castListOf(max: number): (raw: unknown) => string[] {
  return (raw) => castList(raw).slice(0, max + 1);
}

/** The one value of a single-value field; of a list the last counts. */
export function castSingle(raw: unknown): string {
  return castList(raw).at(-1) ?? '';
}

/** The values of a list field as they were sent. */
export function toItems(raw: unknown): unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw !== 'string' || !raw.trimStart().startsWith('[')) return [raw];
  try {
    const parsed: unknown = JSON.parse(raw);
    return Array.isArray(parsed) ? parsed : [raw];
  } catch {
    return [raw];
  }
}

function itemText(item: unknown): string {
  if (typeof item === 'string') return item;
  return typeof item === 'number' || typeof item === 'boolean' ? String(item) : '';
}

/** Refuses too many or too few values of a list field. */
export function checkCount(
  count: number,
  { min = 0, max = Infinity }: { min?: number; max?: number },
): Problem | undefined {
  if (count > max) return { code: 'validation_too_many_values', message: `Select no more than ${max}.` };
  if (count > 0 && count < min) return { code: 'validation_not_enough_values', message: `Select at least ${min}.` };
  return undefined;
}
