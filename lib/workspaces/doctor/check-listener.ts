import 'server-only';
import { askHost } from '@/lib/hosts/link/ask-host';
import { listenersSchema } from '@/lib/protocol/measure-streams';
import { failed, fine, skipped, someNames, type Verdict } from '@/lib/verdict';
import type { WorkspaceRow } from '../collection';
import { unanswered } from './unanswered';

/** Whether something in a workspace listens where its addresses lead to. */
export async function checkListener(
  { id, host, status }: Pick<WorkspaceRow, 'id' | 'host' | 'status'>,
  { ports, signal }: { ports: readonly number[]; signal: AbortSignal },
): Promise<Verdict> {
  if (status !== 'running') return skipped('The workspace does not run.');
  try {
    const open = { kind: 'listeners', workspaceId: id } as const;
    const { listeners } = await askHost(host, open, { schema: listenersSchema, signal });
    return judgeListeners(listeners, ports);
  } catch (error) {
    return unanswered(error);
  }
}

/** What to say of the ports that are listened on. */
export function judgeListeners(
  listeners: readonly { port: number; isLocal: boolean }[],
  ports: readonly number[],
): Verdict {
  const open = new Set(listeners.filter(({ isLocal }) => !isLocal).map(({ port }) => port));
  const silent = ports.find((port) => !open.has(port));
  if (silent === undefined) return fine(`The workspace listens on port ${someNames(ports.map(String))}.`);
  if (listeners.some(({ port }) => port === silent)) {
    const cure = 'Have its program listen at 0.0.0.0 and not at 127.0.0.1.';
    return failed(`Port ${silent} of the workspace is open inside of it alone.`, cure);
  }
  const others = [...open].toSorted((a, b) => a - b).map(String);
  const cure =
    others.length > 0
      ? `It listens on ${someNames(others)}: change the port of the address, or that of the program.`
      : 'Start the program that serves the address; the log of the workspace may say why it does not run.';
  return failed(`Nothing listens on port ${silent} of the workspace.`, cure);
}
