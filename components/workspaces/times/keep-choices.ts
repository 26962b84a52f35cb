const HOUR_MS = 3_600_000;
const HOURS = [1, 4] as const;

interface KeepChoices {
  hours: readonly number[];
  /** The end of the next morning's first hour of work; undefined where that is too far ahead. */
  tomorrow: Date | undefined;
}

/** What is offered at a click to keep a workspace: only what is allowed, where that is known. */
export function keepChoices(nowMs: number, maxHours = Infinity): KeepChoices {
  const day = new Date(nowMs);
  day.setDate(day.getDate() + 1);
  day.setHours(9, 0, 0, 0);
  const isNear = day.getTime() - nowMs <= maxHours * HOUR_MS;
  return { hours: HOURS.filter((hours) => hours <= maxHours), tomorrow: isNear ? day : undefined };
}
