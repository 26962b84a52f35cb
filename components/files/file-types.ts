export const FILE_TYPES = ['upload', 'external'] as const;
