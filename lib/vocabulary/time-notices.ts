/** What people are told about the time of their workspaces, and about hosts that they may change. */
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
  'hostAbove',
  'hostOver',
] as const;
export type TimeNotice = (typeof TIME_NOTICES)[number];
