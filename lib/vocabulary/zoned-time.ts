/** Moments of clocks in named time zones, right where clocks change. */

const DAY_MS = 86_400_000;
const ZONES_KEPT = 100;

/** Making one costs far more than asking it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  if (formats.size >= ZONES_KEPT) formats.clear();
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
}

/** Whether it is the name of a time zone, as `Europe/Budapest`; what only says how far it is from UTC is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** How far the zone's clock is ahead of UTC at a moment, in milliseconds. */
export function zoneOffsetMs(timeZone: string, atMs: number): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

/**
 * The moment at which the zone's clock shows that (`shownMs` is what it shows, read as if it were UTC). Of a time that comes
 * twice the first; one that is skipped is as much later as the clock is put on.
 */
export function momentOf(timeZone: string, shownMs: number): number {
  const before = zoneOffsetMs(timeZone, shownMs - DAY_MS);
  const after = zoneOffsetMs(timeZone, shownMs + DAY_MS);
  const isShown = (offset: number): boolean => zoneOffsetMs(timeZone, shownMs - offset) === offset;
  if (isShown(before)) return shownMs - before;
  return isShown(after) ? shownMs - after : shownMs - before;
}

export interface WeeklyTime {
  /** `HH:MM` on the zone's clock. */
  at: string;
  /** 0 is Sunday. */
  weekdays: readonly number[];
}

/** The last such moment up to `nowMs`, and the first one after it, in milliseconds; undefined where no day is named. */
export function timesAround(
  { at, weekdays }: WeeklyTime,
  timeZone: string,
  nowMs: number,
): { last: number; next: number } | undefined {
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  const shown = new Date(nowMs + zoneOffsetMs(timeZone, nowMs));
  const today = Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate(), hour, minute);
  const moments: number[] = [];
  // A day more at both ends: where clocks change, the zone's own day may lag behind or be ahead.
  for (let day = -8; day <= 8; day += 1) {
    const wanted = today + day * DAY_MS;
    if (weekdays.includes(new Date(wanted).getUTCDay())) moments.push(momentOf(timeZone, wanted));
  }
  const next = moments.find((moment) => moment > nowMs);
  const last = moments.filter((moment) => moment <= nowMs).at(-1);
  return next === undefined || last === undefined ? undefined : { last, next };
}
