/** Pictures that people may upload as icon or avatar. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/apng'] as const;
