/** What people are told about the time of their workspaces. */
export const TIME_NOTICES = [
  'idleSoon',
  'idleStopped',
  'startFailed',
  'startMissed',
  'stopMissed',
  'deleteSoon',
  'deleted',
  'drainStopped',
  'drainStartFailed',
] as const;
export type TimeNotice = (typeof TIME_NOTICES)[number];
