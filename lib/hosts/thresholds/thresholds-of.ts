import { type HostThresholds, USUAL_THRESHOLDS } from '@/lib/vocabulary/host-thresholds';

/** The bounds of a host, the usual ones where nobody set any. */
export function thresholdsOf({ thresholds }: { thresholds: HostThresholds | null }): HostThresholds {
  return thresholds ?? USUAL_THRESHOLDS;
}
