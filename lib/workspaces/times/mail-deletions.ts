import 'server-only';
import { users } from '@/lib/accounts/collection';
import { queueAccountMail } from '@/lib/accounts/mail-account';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { paths } from '@/lib/paths';
import { roomForMails } from '@/lib/remote/mail-queue';
import { StoreReader, type WriteTransaction } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import { msOf } from './plan';

/** What comes within it goes in one mail. */
const GATHER_MS = 10_000;
const NAMES_MOST = 20;
const OWNERS_MOST = 5000;

interface Waiting {
  names: { name: string; atMs: number }[];
  more: number;
}

const state = () => singleton('deletion-mails', () => ({ owners: new Map<string, Waiting>(), isGathering: false }));

/**
 * Mails the owner what will be deleted, once the transaction is through: whoever is away sees no bell. Only where mails are sent, and to
 * addresses that are confirmed. Several go in one mail; what was to be mailed is forgotten when the process ends.
 */
export function mailDeletion(
  tx: WriteTransaction,
  { created_by, name, deletesAt }: { created_by: string; name: string; deletesAt: string },
): void {
  if (created_by === '' || !env().smtpUrl) return;
  tx.afterCommit.push(() => gather(created_by, { name, atMs: msOf(deletesAt) }));
}

function gather(owner: string, item: Waiting['names'][number]): void {
  const { owners } = state();
  if (!owners.has(owner) && owners.size >= OWNERS_MOST) {
    return log.error({ waiting: OWNERS_MOST }, 'a mail about a deletion was dropped: too many wait');
  }
  const waiting = owners.get(owner) ?? { names: [], more: 0 };
  if (waiting.names.length < NAMES_MOST) waiting.names.push(item);
  else waiting.more += 1;
  owners.set(owner, waiting);
  sendLater();
}

function sendLater(): void {
  if (state().isGathering) return;
  state().isGathering = true;
  setTimeout(sendSome, GATHER_MS).unref();
}

function sendSome(): void {
  const { owners } = state();
  state().isGathering = false;
  for (const [owner, workspaces] of [...owners].slice(0, roomForMails())) {
    owners.delete(owner);
    try {
      mailOwner(owner, workspaces);
    } catch (error) {
      log.error({ err: error }, 'a mail about a deletion could not be written');
    }
  }
  if (owners.size > 0) sendLater();
}

function mailOwner(owner: string, workspaces: Waiting): void {
  const account = new StoreReader().get(users, owner);
  if (!account?.enabled || !account.verified) return;
  queueAccountMail('workspaceDeletion', { account, path: paths.workspaces, workspaces });
}
