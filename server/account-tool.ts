import '@/lib/api/collections';
import { randomBytes } from 'node:crypto';
import { getDb } from '@/db/client';
import { anyAccountByIdentity } from '@/lib/auth/accounts';
import { users } from '@/lib/accounts/collection';
import { startAreas } from '@/lib/api/start-areas';
import { resetSecondFactor } from '@/lib/accounts/security/second-factor';
import { AppError } from '@/lib/errors';
import { system } from '@/lib/policies/actor';
import { recordAuditAlone } from '@/lib/records/audit';
import { StoreReader } from '@/lib/records/transaction';
import { updateRecord } from '@/lib/records/writer';

const USAGE = `Help for whoever can't log in any more, on the machine that holds the data folder:

  list                           everyone who has an account
  reset-password <name>          sets a new password and prints it
  reset-second-factor <name>     takes away the authenticator app, passkeys and recovery codes
  make-admin <name>              enables the account and makes it an admin

<name> is a username or an e-mail address. The console may be running meanwhile.`;

function findAccount(name: string | undefined) {
  if (!name) throw new AppError('invalid', USAGE);
  const account = anyAccountByIdentity(name);
  if (!account) throw new AppError('not_found', `Nobody has the username or e-mail address "${name}".`);
  return account;
}

/** Long enough to guess nothing, with one of each kind that the rules ask for. */
function newPassword(): string {
  return `${randomBytes(12).toString('base64url')}A1!`;
}

const acts: Record<string, (name: string | undefined) => Promise<string> | string> = {
  list() {
    const all = new StoreReader().find(users, {}, { orderBy: 'username' });
    return all
      .map(({ username, email, isAdmin, enabled, secondFactorSince }) => {
        const marks = [isAdmin && 'admin', !enabled && 'disabled', secondFactorSince !== '' && 'second factor'];
        return [username, email, ...marks.filter(Boolean)].filter((part) => part !== '').join('  ');
      })
      .join('\n');
  },
  async 'reset-password'(name) {
    const { id, username } = findAccount(name);
    const password = newPassword();
    await updateRecord(users, system, { id, body: { password, passwordConfirm: password } });
    return `New password of ${username}: ${password}\nEvery log-in of the account has ended. Change it after the next one.`;
  },
  async 'reset-second-factor'(name) {
    const { id, username } = findAccount(name);
    await resetSecondFactor(id);
    const on = { collection: users.name, record: id, name: username };
    await recordAuditAlone({ action: 'secondFactor.disable', actor: system, on });
    return `${username} logs in with the password alone now.`;
  },
  async 'make-admin'(name) {
    const { id, username } = findAccount(name);
    await updateRecord(users, system, { id, body: { isAdmin: true, enabled: true } });
    return `${username} is an admin.`;
  },
};

async function main([act = '', name]: readonly string[]): Promise<void> {
  const run = Object.hasOwn(acts, act) ? acts[act] : undefined;
  if (!run) throw new AppError('invalid', USAGE);
  startAreas();
  console.log(await run(name));
  getDb().sqlite.close();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
