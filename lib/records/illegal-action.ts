import { fieldError, type AppError } from '@/lib/errors';

/** The refusal of an action that the present status forbids, with the list of those that are possible. */
export function illegalAction(
  kind: 'workspace' | 'image',
  asked: { action: string; state: string; allowed: readonly string[] },
): AppError {
  const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
  const possible = asked.allowed.length > 0 ? `Possible now: ${asked.allowed.join(', ')}.` : 'Nothing is possible now.';
  const message = `Can't ${asked.action} ${article} ${kind} that is ${asked.state}. ${possible}`;
  return fieldError('action', 'validation_illegal_action', message);
}
