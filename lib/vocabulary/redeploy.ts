/** What goes first in a redeploy: the new container beside the old one, or the old one's end. */
export const REDEPLOY_ORDERS = ['start-first', 'stop-first'] as const;
export type RedeployOrder = (typeof REDEPLOY_ORDERS)[number];

/** How a redeploy is to go. */
export interface RedeployOptions {
  /** Empty stops the old container first only where both need a host port. */
  order: RedeployOrder | '';
  /** Whether the image is pulled anew before. */
  pull: boolean;
  /** Number of the build that the workspace is to run from now on; 0 for the newest. Left out, it stays as it is. */
  build?: number | undefined;
}

export const AS_USUAL: RedeployOptions = { order: '', pull: false };

/** What both containers would have at the same time: a fixed port forbids that, the others speak against it. */
export const STOP_FIRST_REASONS = ['fixedPorts', 'pickedPorts', 'volumes', 'gpus'] as const;
export type StopFirstReason = (typeof STOP_FIRST_REASONS)[number];
