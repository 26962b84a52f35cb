/** Templates are not among what lists show and counts count. */
export const NO_TEMPLATE = 'template = false';
export const ONLY_TEMPLATES = 'template = true';
