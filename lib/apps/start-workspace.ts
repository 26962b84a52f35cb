import 'server-only';
import type { IncomingMessage } from 'node:http';
import { actorOf, anyAccountByIdentity } from '@/lib/auth/accounts';
import { callerAddress } from '@/lib/http/node-door';
import { AppError } from '@/lib/errors';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import type { Words } from './words';

/**
 * Starts a workspace for a person who clicked the button on one of our pages there. A script of the workspace's own that is
 * still in the browser can't: it takes a click, which browsers tell of and scripts can't say.
 */
export async function startWorkspace(
  request: IncomingMessage,
  { workspace, username }: { workspace: string; username: string },
): Promise<Words> {
  const account = username === '' ? undefined : anyAccountByIdentity(username);
  if (!account || !isClicked(request)) {
    return { status: 403, title: 'The workspace was not started', text: ['Open it in Berth and start it there.'] };
  }
  const from = {
    address: callerAddress(request),
    userAgent: request.headers['user-agent'] ?? '',
    via: 'session' as const,
  };
  try {
    await requestWorkspace({ ...actorOf(account), from } as ReturnType<typeof actorOf>, {
      workspaceId: workspace,
      action: 'start',
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: 409, title: 'The workspace can’t be started', text: [error.message] };
  }
  return { status: 202, title: 'The workspace is starting', text: [] };
}

function isClicked({ headers }: IncomingMessage): boolean {
  return (
    headers['sec-fetch-site'] === 'same-origin' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-fetch-user'] === '?1'
  );
}
