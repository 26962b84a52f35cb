import 'server-only';
import { connect } from 'node:net';
import { settings } from '@/lib/settings/collection';
import { invalidSetting } from '@/lib/settings/setting-checks';
import { env } from '@/lib/env';
import { StoreReader } from '@/lib/records/transaction';
import { failed, fine, someNames, type Verdict, warning } from '@/lib/verdict';

const CONNECT_MS = 5000;

/** Whether mails leave: nothing is sent, the server only has to answer. */
export async function checkMail(): Promise<Verdict> {
  const { smtpUrl } = env();
  if (!smtpUrl) {
    return warning(
      'Mails are written to outbox/ of the data folder and go nowhere: nobody can reset a password.',
      'Set BERTH_SMTP_URL, and send a test mail in Settings → General.',
    );
  }
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'smtps:' ? 465 : 587));
  const problem = await refusalOf(host, port);
  if (problem === '')
    return fine(`${host}:${port} answers. A test mail in Settings → General shows whether it takes mails.`);
  return failed(
    `${host}:${port} does not answer (${problem}).`,
    'See whether BERTH_SMTP_URL is right and reached from here.',
  );
}

function refusalOf(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (why: string): void => {
      socket.destroy();
      resolve(why);
    };
    socket.once('connect', () => end(''));
    socket.once('timeout', () => end('ETIMEDOUT'));
    socket.once('error', ({ code, message }: NodeJS.ErrnoException) => end(code ?? message));
  });
}

/** Whether what is stored in the settings is what this version takes. */
export function checkSettings(): Verdict {
  const rows = new StoreReader().find(settings, {}, { limit: 1000 });
  const wrong = rows.filter(({ key, value }) => invalidSetting(key, value)).map(({ key }) => key);
  if (wrong.length === 0) return fine('Every setting is one that this version takes.');
  return failed(
    `This version does not take what is stored as: ${someNames(wrong)}. The usual values count instead.`,
    'Open those settings and save them anew.',
  );
}
