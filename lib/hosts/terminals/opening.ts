import 'server-only';
import { z } from 'zod';
import type { AccessWatch } from '@/lib/auth/watch-access';
import { isSameOrigin, streamActor } from '@/lib/auth/actor';
import { AppError } from '@/lib/errors';
import type { UpgradeHead } from '@/lib/http/web-socket';
import { newSecret } from '@/lib/ids';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import type { OpenTerminal } from '@/lib/protocol/streams';
import { takeTurns } from '@/lib/stores/rate-limits';
import type { AuditAction } from '@/lib/vocabulary/audit';
import { limits, rateLimits } from '@/lib/vocabulary/limits';
import { countWatched } from './watchers';

const SESSION_LENGTH = 32;

const side = (usual: number) => z.coerce.number().int().min(1).max(1000).default(usual);

/** What the address of every terminal's socket may say. */
export const terminalQuery = {
  session: z
    .string()
    .regex(/^[A-Za-z0-9]*$/)
    .max(SESSION_LENGTH)
    .default(''),
  cols: side(80),
  rows: side(24),
  from: z.coerce.number().int().min(0).optional(),
};
type TerminalQuery = z.output<z.ZodObject<typeof terminalQuery>>;

/** Who asks for which terminal, and what it is of. */
export interface TerminalRequest {
  actor: Actor;
  hostId: string;
  open: OpenTerminal;
  /** Follows the right to it. */
  watch(): AccessWatch;
  /** What the audit log is told of it. */
  audited: {
    begin: AuditAction;
    leave: AuditAction;
    on: { collection: string; record: string; name: string };
    details: Record<string, unknown>;
  };
}

/** Who asks. Throws `forbidden` for pages of elsewhere. */
export async function readTerminalActor(head: UpgradeHead): Promise<Actor> {
  if (head.header('origin') !== '' && !isSameOrigin(head)) {
    throw new AppError('forbidden', 'Terminals are not for pages of other origins.');
  }
  // A token for files, which stands in addresses, opens no shell.
  return streamActor({ ...head, query: new URLSearchParams() });
}

/** What every `open` says: a session that the query names, or a new one with a name that nobody guesses. */
export function toOpening(actor: Actor, { session, from, cols, rows }: TerminalQuery) {
  return {
    cols,
    rows,
    session: session || newSecret(SESSION_LENGTH),
    isNew: session === '',
    viewer: actorUserId(actor),
    from: from ?? null,
  };
}

/** Counts a terminal of the account; the answer takes that back. Throws `rate_limited` for whoever has, or had, too many. */
export function takeTerminalPlace(actor: Actor): () => void {
  const who = actorUserId(actor);
  if (countWatched(who) >= limits.terminalsPerAccount) {
    throw new AppError('rate_limited', `You have ${limits.terminalsPerAccount} open terminals. Close one of them.`);
  }
  return takeTurns([{ limit: rateLimits.terminalsByAccount, who }]);
}
