import fs from 'node:fs';
import path from 'node:path';
import { getDb } from '@/db/database';
import { env } from '@/lib/env';

/** Opens the data folder as the console does and prints whose data it is, by database and files. */
const user = getDb().sqlite.prepare('SELECT id, name, avatar FROM users').get() as Record<
  'id' | 'name' | 'avatar',
  string
>;
const picture = path.join(env().dataDir, 'storage/_pb_users_auth_', user.id, user.avatar);
console.log(fs.existsSync(picture) && user.avatar.startsWith(`${user.name}_`) ? user.name : 'mixed');
