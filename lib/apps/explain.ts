import 'server-only';
import { actorOf, anyAccountByIdentity } from '@/lib/auth/accounts';
import { nowMs } from '@/lib/clock';
import { env } from '@/lib/env';
import { paths } from '@/lib/paths';
import { may } from '@/lib/records/acts';
import { StoreReader } from '@/lib/records/transaction';
import type { AppName } from '@/lib/vocabulary/app-address';
import { allowedWorkspaceActions } from '@/lib/vocabulary/workspace-status';
import { workspaces, type WorkspaceRow } from '@/lib/workspaces/collection';
import { statusOf } from '@/lib/workspaces/moves';
import { START_PATH } from './start-path';
import { NoTunnel } from './tunnel-agent';
import type { Words } from './words';

/** The other end did not answer in time. */
export class TooSlow extends Error {
  override name = 'TooSlow';
}

const AGAIN_SECONDS = 3;
/** For so long after its start a workspace may be about to answer, and the page looks again by itself. */
const FRESH_MS = 120_000;

/** Why a request to a workspace's port has no answer, and what can be done about it, for the person who asked. */
export function explain(error: unknown, app: AppName, username: string): Words {
  const row = new StoreReader().get(workspaces, app.workspace);
  const account = username === '' ? undefined : anyAccountByIdentity(username);
  const actor = account && actorOf(account);
  const sees = row !== undefined && actor !== undefined && may(actor, { collection: workspaces, row, act: 'view' });
  const links = sees
    ? [{ href: `${env().publicUrl}${paths.workspace(app.workspace)}`, label: 'Open it in Berth' }]
    : [];
  if (error instanceof TooSlow) {
    return {
      status: 504,
      title: `Port ${app.port} gives no answer`,
      text: ['It took the request and said nothing for ten minutes.'],
      links,
    };
  }
  if (!(error instanceof NoTunnel)) return { ...brokenWords(error, app.port), links };
  const isDown = error.why === 'stopped' && row !== undefined;
  const canStart = isDown && actor !== undefined && may(actor, { collection: workspaces, row, act: 'deploy' });
  // Strangers hear no names, and nothing of the host's network.
  const told = sees ? error : new NoTunnel(error.why, '', error.listeners);
  const isFresh = error.why === 'silent' && row !== undefined && nowMs() - Date.parse(row.statusSince) < FRESH_MS;
  return {
    ...noTunnelWords(told, app, row),
    links,
    ...(isDown && startWords(row, canStart)),
    ...(isFresh && { againSeconds: AGAIN_SECONDS }),
  };
}

function startWords(row: WorkspaceRow, canStart: boolean): Partial<Words> {
  const isComing = row.desired === 'running' && row.status !== 'error';
  if (isComing) return { againSeconds: AGAIN_SECONDS };
  if (!canStart || !allowedWorkspaceActions({ ...row, status: statusOf(row) }).includes('start')) return {};
  return { button: { action: START_PATH, label: 'Start the workspace' } };
}

function noTunnelWords({ why, message, listeners }: NoTunnel, { port }: AppName, row: WorkspaceRow | undefined): Words {
  const name = row && message !== '' ? `“${row.name}”` : 'The workspace';
  const more = message === '' ? [] : [message];
  switch (why) {
    case 'stopped':
      if (row?.desired === 'running' && row.status !== 'error') {
        return { status: 503, title: `${name} is starting`, text: ['This page opens it as soon as it runs.'] };
      }
      return { status: 503, title: `${name} does not run`, text: ['It has to be started before its ports answer.'] };
    case 'silent':
      return { status: 502, title: `Nothing answers at port ${port}`, text: silentWords(port, listeners) };
    case 'simulated':
      return {
        status: 503,
        title: 'There is nothing to open',
        text: ['The host has a simulated engine: nothing is really run on it.'],
      };
    case 'full':
      return {
        status: 429,
        title: 'Too many connections are open',
        text: ['Close some pages of this workspace and try again.'],
      };
    case 'offline':
      return {
        status: 503,
        title: 'The host is offline',
        text: [...more, 'The page opens again once the host is back.'],
      };
    case 'old':
      return { status: 503, title: 'The agent of the host is too old', text: more };
    case 'unreachable':
      return { status: 502, title: `Port ${port} can’t be reached`, text: more };
  }
}

function silentWords(port: number, listeners: NoTunnel['listeners']): string[] {
  const own = listeners.find((listener) => listener.port === port);
  if (own?.isLocal) {
    return [`The program listens at 127.0.0.1, which is the container itself alone. Have it listen at 0.0.0.0.`];
  }
  const open = listeners.filter(({ isLocal }) => !isLocal).map((listener) => listener.port);
  if (open.length === 0) return ['No program in the workspace listens there. It may still be starting.'];
  return [`The workspace listens at ${open.join(', ')}.`, 'A program that has just been started may take a moment.'];
}

function brokenWords(error: unknown, port: number): Words {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const title = `Port ${port} gave no answer that can be passed on`;
  const why =
    code === 'HPE_HEADER_OVERFLOW'
      ? 'Its answer has more or larger headers than the console passes on.'
      : code.startsWith('HPE_') || code === 'ERR_INVALID_CHAR'
        ? 'What listens there does not speak HTTP, or not as it is meant to be.'
        : 'It hung up in the middle.';
  return { status: 502, title, text: [why] };
}
