import 'server-only';
import { z } from 'zod';
import { isSameOrigin, streamActor } from '@/lib/auth/actor';
import { AppError } from '@/lib/errors';
import { requireLiveLink } from '@/lib/hosts/link/host-link';
import type { UpgradeHead } from '@/lib/http/web-socket';
import { newSecret } from '@/lib/ids';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { takeTurns } from '@/lib/stores/rate-limits';
import { limits, rateLimits } from '@/lib/vocabulary/limits';
import type { OpenTerminal } from '@/lib/protocol/streams';
import { workspaces, type WorkspaceRow } from '../collection';
import { splitShellWords } from '../shell-words';
import { countWatched } from './watchers';

const PATH = /^\/api\/workspace\/([a-z0-9]{15})\/(exec|attach)\/?$/;
const SESSION_LENGTH = 32;

const side = (usual: number) => z.coerce.number().int().min(1).max(1000).default(usual);

const querySchema = z.object({
  session: z
    .string()
    .regex(/^[A-Za-z0-9]*$/)
    .max(SESSION_LENGTH)
    .default(''),
  command: z.string().max(limits.terminalCommandLength).default(''),
  user: z.string().max(256).default(''),
  workdir: z.string().max(limits.pathLength).default(''),
  cols: side(80),
  rows: side(24),
  from: z.coerce.number().int().min(0).optional(),
});

export interface TerminalRequest {
  actor: Actor;
  workspace: WorkspaceRow;
  open: OpenTerminal;
}

export function isTerminalPath(path: string): boolean {
  return PATH.test(path);
}

/**
 * Who asks for which terminal. Throws an AppError: `forbidden` for pages of elsewhere and without the right, `not_found`
 * where the workspace can't be seen, `invalid` for a bad query, `rate_limited`, and `host_unavailable`.
 */
export async function readTerminalRequest(head: UpgradeHead): Promise<TerminalRequest> {
  if (head.header('origin') !== '' && !isSameOrigin(head)) {
    throw new AppError('forbidden', 'Terminals are not for pages of other origins.');
  }
  // A token for files, which stands in addresses, opens no shell.
  const actor = await streamActor({ ...head, query: new URLSearchParams() });
  const [, workspaceId = '', kind] = PATH.exec(head.path) ?? [];
  const workspace = requireTerminalRight(actor, workspaceId);
  const { session, from, command, user, workdir, ...size } = querySchema.parse(Object.fromEntries(head.query));
  const who = actorUserId(actor);
  takeTerminalPlace(actor);
  requireLiveLink(workspace.host);
  const opening = {
    ...size,
    workspaceId,
    session: session || newSecret(SESSION_LENGTH),
    isNew: session === '',
    viewer: who,
    from: from ?? null,
  };
  if (kind === 'attach') return { actor, workspace, open: { kind, ...opening } };
  const words = splitShellWords(command);
  if (!words) throw new AppError('invalid', 'A quote of the command is left open.');
  return { actor, workspace, open: { kind: 'exec', ...opening, command, words, user, workdir } };
}

/** The workspace, for whoever may open a terminal in it. Throws `unauthenticated`, `not_found` or `forbidden`. */
export function requireTerminalRight(actor: Actor, workspaceId: string): WorkspaceRow {
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  return requireAct(actor, { collection: workspaces, id: workspaceId, act: 'attach' });
}

/** Counts a terminal of the account; the answer takes that back. Throws `rate_limited` for whoever has, or had, too many. */
export function takeTerminalPlace(actor: Actor): () => void {
  const who = actorUserId(actor);
  if (countWatched(who) >= limits.terminalsPerAccount) {
    throw new AppError('rate_limited', `You have ${limits.terminalsPerAccount} open terminals. Close one of them.`);
  }
  return takeTurns([{ limit: rateLimits.terminalsByAccount, who }]);
}
