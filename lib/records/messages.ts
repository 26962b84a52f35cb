import { AppError } from '@/lib/errors';

export const CREATE_FAILED = 'Failed to create record.';
export const UPDATE_FAILED = 'Failed to update record.';
export const DELETE_BLOCKED =
  'Failed to delete record. Make sure that the record is not part of a required relation reference.';

/** The refusal of a delete that names what still needs the record. */
export function deleteBlockedBy(kind: string, names: readonly string[]): AppError {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  const shown = names.slice(0, 5).join(', ') + more;
  return new AppError('invalid', `${DELETE_BLOCKED} Used by the ${kind}${names.length > 1 ? 's' : ''} ${shown}.`);
}
