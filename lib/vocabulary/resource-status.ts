/** Statuses of volumes and networks: asked for, there on the host, or failed. */
export const RESOURCE_STATUSES = ['pending', 'created', 'error'] as const;
