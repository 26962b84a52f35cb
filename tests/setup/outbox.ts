import fs from 'node:fs';
import path from 'node:path';
import { env } from '@/lib/env';

/** The mails in a console's outbox, oldest first, as they would be sent. */
export function readOutbox(dataDir = env().dataDir): string[] {
  const folder = path.join(dataDir, 'outbox');
  if (!fs.existsSync(folder)) return [];
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return files.sort().map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
}

/** The token of the link in a mail's plain text part. */
export function tokenIn(mail: string): string {
  const unfolded = mail.replace(/=\r?\n/g, '').replace(/=3D/g, '=');
  const match = /\/confirm-[a-z-]+\/([\w-]+\.[\w-]+\.[\w-]+)/.exec(unfolded);
  if (!match) throw new Error(`no link in:\n${mail}`);
  return match[1]!;
}
