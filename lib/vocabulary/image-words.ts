/** Sentences that the forms of images and the API have in common. */
export const DUPLICATE_ENVIRONMENT = 'Duplicate environment name. Please provide a unique one.';
export const DUPLICATE_FILENAME = 'Duplicate filename.';
export const NOT_ALPHANUMERIC = 'Must be alphanumeric.';
