import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createBackup } from '@/lib/backups/create-backup';
import { backupsFolder } from '@/lib/backups/folder';
import { env } from '@/lib/env';
import { openPrivateDatabase } from '../setup/database';

openPrivateDatabase();

test('a stored file that goes while a backup is made fails the backup, and not the console', async () => {
  const folder = path.join(env().dataDir, 'storage', 'collection', 'record');
  fs.mkdirSync(folder, { recursive: true });
  for (let index = 0; index < 300; index += 1) fs.writeFileSync(path.join(folder, `f${index}`), 'x'.repeat(100_000));
  const backup = createBackup('broken.zip');
  const partial = path.join(backupsFolder(), '.broken.zip.partial');
  // Once the zip is begun, every name is in it that will be.
  while (!fs.existsSync(partial)) await new Promise((resolve) => setImmediate(resolve));
  fs.rmSync(folder, { recursive: true });
  await expect(backup).rejects.toMatchObject({ code: 'ENOENT' });
  expect(fs.readdirSync(backupsFolder())).toEqual([]);
});
