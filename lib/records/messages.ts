import { AppError } from '@/lib/errors';

export const CREATE_FAILED = 'Failed to create record.';
export const UPDATE_FAILED = 'Failed to update record.';
export const DELETE_BLOCKED =
  'Failed to delete record. Make sure that the record is not part of a required relation reference.';

/** The refusal of a delete that names what still needs the record, and counts what the actor may not see. */
export function deleteBlockedBy(kind: string, names: readonly string[], unseen = 0): AppError {
  const kinds = (count: number) => `${kind}${count > 1 ? 's' : ''}`;
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  const shown = `the ${kinds(names.length)} ${names.slice(0, 5).join(', ')}${more}`;
  const others = names.length === 0 ? `${unseen} ${kinds(unseen)}` : `${unseen} other${unseen > 1 ? 's' : ''}`;
  const hidden = unseen > 0 ? `${others} that you can't see` : '';
  const parts = [names.length > 0 ? shown : '', hidden].filter(Boolean);
  return new AppError('invalid', `${DELETE_BLOCKED} Used by ${parts.join(' and ')}.`);
}
