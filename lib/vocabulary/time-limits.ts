/** Bounds of what may be set about the time of a workspace. */
export const timeLimits = {
  idleMinutesMin: 5,
  /** A week. */
  idleMinutesMax: 10_080,
  deleteDaysMin: 1,
  deleteDaysMax: 3650,
  keepHoursMax: 720,
} as const;
