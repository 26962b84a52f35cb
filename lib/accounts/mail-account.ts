import 'server-only';
import { users } from './collection';
import { writeAccountMail, type AccountMail, type MailFacts } from '@/lib/remote/account-mails';
import { env } from '@/lib/env';
import { StoreReader } from '@/lib/records/transaction';
import { sendMail, type Mail } from '@/lib/remote/mail';
import { queueMail } from '@/lib/remote/mail-queue';

interface AccountMailRequest {
  account: { id: string; name: string; email: string };
  /** Where the button leads, without the console's address. */
  path: string;
  /** Where the mail goes, when not to the account's address. */
  to?: string;
  newEmail?: string;
  workspaces?: MailFacts['workspaces'];
}

function compose(kind: AccountMail, { account, path, to, newEmail, workspaces }: AccountMailRequest): Mail {
  const consoleUrl = env().publicUrl;
  const language = new StoreReader().get(users, account.id)?.language ?? '';
  // What somebody calls himself is told to nobody else: an address is a stranger's until it is confirmed.
  const name = isConfirmed(kind) ? account.name : '';
  const facts = { name, language, url: consoleUrl + path, newEmail, workspaces, consoleUrl };
  return { to: { name, address: to ?? account.email }, ...writeAccountMail(kind, facts) };
}

function isConfirmed(kind: AccountMail): boolean {
  return kind !== 'verification' && kind !== 'emailChange';
}

/** Sends an account a mail and resolves once it was taken. Throws MailError. */
export function mailAccount(kind: AccountMail, request: AccountMailRequest): Promise<void> {
  return sendMail(compose(kind, request));
}

/** The same for a mail that nobody waits for; an account without an address gets none. */
export function queueAccountMail(kind: AccountMail, request: AccountMailRequest): void {
  if ((request.to ?? request.account.email) !== '') queueMail(compose(kind, request), kind);
}
