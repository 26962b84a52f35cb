import 'server-only';
import { z } from 'zod';
import { watchAccess } from '@/lib/auth/watch-access';
import { AppError } from '@/lib/errors';
import { requireLiveLink } from '@/lib/hosts/link/host-link';
import {
  readTerminalActor,
  takeTerminalPlace,
  type TerminalRequest,
  terminalQuery,
  toOpening,
} from '@/lib/hosts/terminals/opening';
import type { UpgradeHead } from '@/lib/http/web-socket';
import type { Actor } from '@/lib/policies/actor';
import type { OpenTerminal } from '@/lib/protocol/streams';
import { requireAct } from '@/lib/records/acts';
import { limits } from '@/lib/vocabulary/limits';
import { workspaces, type WorkspaceRow } from '../collection';
import { splitShellWords } from '../shell-words';

const PATH = /^\/api\/workspace\/([a-z0-9]{15})\/(exec|attach)\/?$/;

const querySchema = z.object({
  ...terminalQuery,
  command: z.string().max(limits.terminalCommandLength).default(''),
  user: z.string().max(256).default(''),
  workdir: z.string().max(limits.pathLength).default(''),
});

export function isTerminalPath(path: string): boolean {
  return PATH.test(path);
}

/**
 * Who asks for which terminal. Throws an AppError: `forbidden` for pages of elsewhere and without the right, `not_found`
 * where the workspace can't be seen, `invalid` for a bad query, `rate_limited`, and `host_unavailable`.
 */
export async function readTerminalRequest(head: UpgradeHead): Promise<TerminalRequest> {
  const actor = await readTerminalActor(head);
  const [, workspaceId = '', kind] = PATH.exec(head.path) ?? [];
  const workspace = requireTerminalRight(actor, workspaceId);
  const query = querySchema.parse(Object.fromEntries(head.query));
  takeTerminalPlace(actor);
  requireLiveLink(workspace.host);
  const open = toOpen(kind === 'attach', { ...toOpening(actor, query), workspaceId }, query);
  return {
    actor,
    hostId: workspace.host,
    open,
    watch: () => watchAccess(actor, { collection: workspaces, id: workspace.id, act: 'attach' }),
    audited: {
      begin: open.kind === 'exec' ? 'workspace.exec' : 'workspace.attach',
      leave: 'workspace.leaveTerminal',
      on: { collection: 'workspaces', record: workspace.id, name: workspace.name },
      details: open.kind === 'exec' && open.user !== '' ? { runsAs: open.user } : {},
    },
  };
}

type Opening = ReturnType<typeof toOpening> & { workspaceId: string };

function toOpen(
  isAttach: boolean,
  opening: Opening,
  { command, user, workdir }: z.output<typeof querySchema>,
): Exclude<OpenTerminal, { kind: 'hostShell' }> {
  if (isAttach) return { kind: 'attach', ...opening };
  const words = splitShellWords(command);
  if (!words) throw new AppError('invalid', 'A quote of the command is left open.');
  return { kind: 'exec', ...opening, command, words, user, workdir };
}

/** The workspace, for whoever may open a terminal in it. Throws `unauthenticated`, `not_found` or `forbidden`. */
export function requireTerminalRight(actor: Actor, workspaceId: string): WorkspaceRow {
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  return requireAct(actor, { collection: workspaces, id: workspaceId, act: 'attach' });
}
