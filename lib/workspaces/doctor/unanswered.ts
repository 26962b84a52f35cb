import { AppError } from '@/lib/errors';
import { skipped, type Verdict, warning } from '@/lib/verdict';

/** What to say where a host did not answer a question. Throws what is no refusal. */
export function unanswered(error: unknown): Verdict {
  if (!(error instanceof AppError)) throw error;
  if (error.code !== 'host_unavailable') return skipped(error.message);
  return warning(error.message, "See on the host's page whether it is online, and look again.");
}
