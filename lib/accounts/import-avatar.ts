import 'server-only';
import { accountById } from '@/lib/auth/accounts';
import { users } from './collection';
import { log } from '@/lib/log';
import { system } from '@/lib/policies/actor';
import { updateRecord } from '@/lib/records/writer';
import { downloadPicture } from '@/lib/remote/picture';

/** Takes over a profile's picture for an account that has none, by the rules of any upload. Never throws: it is a nicety. */
export async function importAvatar(accountId: string, avatarUrl: string, providerUrl: string): Promise<void> {
  if (avatarUrl === '' || accountById(accountId)?.avatar !== '') return;
  try {
    const bytes = await downloadPicture(avatarUrl, providerUrl);
    await updateRecord(users, system, { id: accountId, body: {}, uploads: { avatar: [{ name: 'avatar', bytes }] } });
  } catch (error) {
    // The address may hold a person's name, and a failed download's words its whole self.
    const why = error instanceof Error ? error.name : 'unknown';
    log.warn({ accountId, why }, 'the picture of a profile was not taken over');
  }
}
