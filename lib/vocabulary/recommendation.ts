export const RECOMMENDATION_KINDS = ['image', 'workspace'] as const;

/** One version of a recommendation: when it fits, and what it adds. */
export interface RecommendationVersion {
  version: string;
  match: Record<string, unknown>;
  apply: Record<string, unknown>;
  deprecated: boolean;
}
