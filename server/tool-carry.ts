import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { closeAsItIs, getDb, openAsItIs } from '@/db/database';
import { appliedHashes, isKnownMigration, listMigrations, pendingMigrations } from '@/db/migrations';
import { IMPORT_TRY, sweepImportTries } from '@/lib/backups/folder';
import { inBackupTurn } from '@/lib/backups/turn';
import { exportRecords, readKinds } from '@/lib/carry/export-records';
import { type Carried, type Export, exportSchema } from '@/lib/carry/format';
import { type Carriage, importRecords } from '@/lib/carry/import-records';
import { onCutOff } from '@/lib/cut-off';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { textValue, ToolError, type ToolCommand, type ToolValues } from './tool-command';

/** An export is read into memory. */
const EXPORT_BYTES = 64 * 1024 * 1024;
const PASSPHRASE_BYTES = 4096;
const ALL_PAGES = 0x7fffffff;

const KINDS = `  --only KINDS            of domains, files, networks, volumes, images, workspaces; with commas between
  --passphrase-file FILE  the first line of this file is the passphrase of the secret values`;

/** Opens the database, which has to be as this version has it: another's records may be of other shapes. */
function openCurrent(): void {
  const { sqlite } = openAsItIs();
  const migrations = listMigrations();
  const isNewer = !appliedHashes(sqlite).every((hash) => isKnownMigration(hash, migrations));
  if (!isNewer && pendingMigrations(sqlite, migrations).length === 0) return;
  closeAsItIs();
  throw new AppError(
    'conflict',
    'The data is of another version: start the console of this version once, and try again.',
  );
}

async function readPassphrase(values: ToolValues): Promise<string | undefined> {
  const file = textValue(values, 'passphrase-file');
  return file === undefined ? undefined : (await readBounded(file, PASSPHRASE_BYTES)).split(/\r?\n/, 1)[0];
}

/** A file of the command line. Throws AppError `not_found` and `too_large`. */
async function readBounded(file: string, most: number): Promise<string> {
  const stats = await fs.stat(file).catch(() => undefined);
  if (!stats?.isFile()) throw new AppError('not_found', `There is no file ${file}.`);
  if (stats.size > most) throw new AppError('too_large', `${file} is larger than what is read of it.`);
  return fs.readFile(file, 'utf8');
}

export const exportCommand: ToolCommand = {
  summary: 'writes records as JSON that another console can take',
  help: `berth export --to FILE.json [--only KINDS] [--passphrase-file FILE]

Writes records with names in the place of ids: hosts, owners and other records are found by their names where they are
imported. Accounts, permissions, uploads, builds, data of volumes and settings stay behind: a backup has all of them. Secret
values of workspaces and images come along only with a passphrase, sealed with it. The console may be running meanwhile.

  --to FILE.json          where to write; nothing is overwritten
${KINDS}`,
  options: { to: { type: 'string' }, only: { type: 'string' }, 'passphrase-file': { type: 'string' } },
  async run({ values, positionals }) {
    const to = textValue(values, 'to');
    if (to === undefined || positionals.length > 0)
      throw new ToolError(`Name the file with --to.\n\n${exportCommand.help}`);
    const kinds = readKinds(textValue(values, 'only'));
    const passphrase = await readPassphrase(values);
    openCurrent();
    try {
      const { file, left } = await exportRecords({ kinds, passphrase });
      await writeNew(path.resolve(to), JSON.stringify(file, null, 2));
      const counts = kinds.map((kind) => `${kind} ${file.records[kind].length}`);
      console.log(`${to}: ${counts.join(', ')}`);
      for (const [what, count] of left) console.error(`left out: ${what}${count > 1 ? ` (${count} times)` : ''}`);
      return 0;
    } finally {
      closeAsItIs();
    }
  },
};

/** For its owner alone: even without secret values it tells much. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await fs.writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new AppError('conflict', `There is a file of this name already: ${file}`);
  }
}

export const importCommand: ToolCommand = {
  summary: 'makes the records of an export; without --yes only says what it would do',
  help: `berth import FILE.json [--yes] [--host THERE=HERE]… [--only KINDS] [--passphrase-file FILE]

Makes the records of an export for whom they belonged to there, or else for an admin. Values are checked, rights are not: import
what you trust. What is here already stays as it is. Without --yes all of it is tried on a copy of the database, which goes
again; with --yes it is done. Hosts have to be there; workspaces are stopped at first, and images not built.

  --yes, -y               does it
  --host THERE=HERE       takes the host HERE for what was on THERE; may be given many times
${KINDS}

Ends with 1 where something was left out.`,
  options: {
    yes: { type: 'boolean', short: 'y' },
    host: { type: 'string', multiple: true },
    only: { type: 'string' },
    'passphrase-file': { type: 'string' },
  },
  async run({ values, positionals }) {
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new ToolError(`Name one file.\n\n${importCommand.help}`);
    const kinds = readKinds(textValue(values, 'only'));
    const hostNames = readHosts(values.host);
    const read = await readExport(file);
    const passphrase = await readPassphrase(values);
    openCurrent();
    try {
      if (!values.yes) return await inBackupTurn(tryOnCopy);
      const carried = await inBackupTurn(() => importRecords(read, { kinds, hostNames, passphrase }));
      return tell(carried, { read, kinds, passphrase });
    } finally {
      closeAsItIs();
    }
  },
};

function readHosts(given: ToolValues[string]): Map<string, string> {
  const pairs = (Array.isArray(given) ? given : []).map((each) => {
    const [there = '', ...rest] = String(each).split('=');
    if (there === '' || rest.join('=') === '')
      throw new ToolError(`Write hosts as THERE=HERE, and not "${String(each)}".`);
    return [there, rest.join('=')] as const;
  });
  return new Map(pairs);
}

async function readExport(file: string): Promise<Export> {
  const text = await readBounded(file, EXPORT_BYTES);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid', `${file} is no JSON.`, { cause });
  }
  const parsed = exportSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('invalid', `${file} is no export that this version reads (${issue?.path.join('.') ?? ''}).`);
}

interface Told {
  read: Export;
  kinds: readonly Carried[];
  passphrase: string | undefined;
}

function tell(carried: readonly Carriage[], { read, kinds, passphrase }: Told): number {
  const marks = { made: 'made  ', there: 'there ', left: 'LEFT  ' };
  for (const { kind, name, host, outcome, words } of carried) {
    const where = host === '' ? '' : ` on ${host}`;
    console.log(`${marks[outcome]}  ${kind} ${name}${where}${words === '' ? '' : `: ${words}`}`);
  }
  const count = (wanted: Carriage['outcome']) => carried.filter(({ outcome }) => outcome === wanted).length;
  console.log(`${kinds.join(', ')}: ${count('made')} made, ${count('there')} there already, ${count('left')} left out`);
  if (read.secrets && passphrase === undefined) {
    console.error('The secret values of the file were left out: they need --passphrase-file.');
  }
  return count('left') > 0 ? 1 : 0;
}

/** Runs the import for good on a copy of the database, as another process: what it says is what would be done. */
async function tryOnCopy(): Promise<number> {
  const { dataDir } = env();
  await sweepImportTries();
  const copy = await fs.mkdtemp(path.join(dataDir, IMPORT_TRY));
  let child: ChildProcess | undefined;
  const forget = onCutOff(() => {
    child?.kill('SIGKILL');
    rmSync(copy, { recursive: true, force: true });
  });
  try {
    await getDb().sqlite.backup(path.join(copy, 'berth.db'), { progress: () => ALL_PAGES });
    await fs.copyFile(path.join(dataDir, 'secret.key'), path.join(copy, 'secret.key')).catch(() => undefined);
    child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1), '--yes'], {
      stdio: 'inherit',
      env: { ...process.env, BERTH_DATA_DIR: copy },
    });
    const code = await new Promise<number>((resolve) => child!.once('close', (ended) => resolve(ended ?? 1)));
    console.log('Nothing was done: this is what --yes would do.');
    return code;
  } finally {
    await fs.rm(copy, { recursive: true, force: true });
    forget();
  }
}
