/** What of a host is watched, as percent of what there is; of the load, of its cores. */
export const HOST_MEASURES = ['disk', 'memory', 'cpu', 'load'] as const;
export type HostMeasure = (typeof HOST_MEASURES)[number];
