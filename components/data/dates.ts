/** A wire date, `YYYY-MM-DD HH:MM:SS.mmmZ`, as milliseconds; undefined when unset. */
export function dateMs(wire: string | undefined): number | undefined {
  if (!wire) return undefined;
  const ms = Date.parse(wire.replace(' ', 'T'));
  return Number.isNaN(ms) ? undefined : ms;
}
