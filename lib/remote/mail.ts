import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { nowMs } from '@/lib/clock';
import { env } from '@/lib/env';
import { newSecret } from '@/lib/ids';
import { log } from '@/lib/log';
import { MailError, toMailError } from './mail-error';

/** Each step of handing a mail over takes this at most; the whole twice that, whatever a server does between the steps. */
const STEP_TIMEOUT_MS = 10_000;
const WHOLE_TIMEOUT_MS = 20_000;

export interface Mail {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
}

/**
 * Hands a mail to the SMTP server, or writes it to `outbox/` where none is set. Throws MailError, whose words hold neither
 * an address nor anything of the mail.
 */
export async function sendMail(mail: Mail): Promise<void> {
  const { smtpUrl, mailFrom } = env();
  const message = { ...mail, from: mailFrom, headers: { 'Auto-Submitted': 'auto-generated' } };
  try {
    await (smtpUrl ? handOver(message, new URL(smtpUrl)) : writeToOutbox(message));
  } catch (error) {
    throw toMailError(error, { isOutbox: !smtpUrl });
  }
}

type Message = Mail & { from: string };

async function handOver(message: Message, url: URL): Promise<void> {
  const transport = createTransport({
    // An IPv6 address stands in brackets in a URL.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? undefined : Number(url.port),
    secure: url.protocol === 'smtps:',
    auth: url.username ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : undefined,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MailError('timeout')), WHOLE_TIMEOUT_MS);
  });
  try {
    await Promise.race([transport.sendMail(message), late]);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

async function writeToOutbox(message: Message): Promise<void> {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const { message: built } = await transport.sendMail(message);
  const folder = path.join(env().dataDir, 'outbox');
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(nowMs()).toISOString().replace(/[:.]/g, '-');
  const file = path.join(folder, `${stamp}-${newSecret(6)}.eml`);
  await fs.writeFile(`${file}.partial`, built as Buffer, { mode: 0o600 });
  await fs.rename(`${file}.partial`, file);
  log.warn({ file }, 'no BERTH_SMTP_URL is set: a mail was written to the outbox');
}
