import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { nowMs } from '@/lib/clock';
import { env } from '@/lib/env';
import { newSecret } from '@/lib/ids';
import { log } from '@/lib/log';

const TIMEOUT_MS = 20_000;

export interface Mail {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
}

/** Hands a mail to the SMTP server, or writes it to `outbox/` where none is set. Rejects when it could not be handed over. */
export async function sendMail(mail: Mail): Promise<void> {
  const { smtpUrl, mailFrom } = env();
  const message = { ...mail, from: mailFrom };
  if (!smtpUrl) return writeToOutbox(message);
  const url = new URL(smtpUrl);
  const transport = createTransport({
    host: url.hostname,
    port: url.port === '' ? undefined : Number(url.port),
    secure: url.protocol === 'smtps:',
    auth: url.username ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : undefined,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.sendMail(message);
  } finally {
    transport.close();
  }
}

async function writeToOutbox(message: Mail & { from: string }): Promise<void> {
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
