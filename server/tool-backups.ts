import path from 'node:path';
import { backUpOutside, findBackupOutside, restoreOutside } from '@/lib/backups/outside';
import { env } from '@/lib/env';
import { requireTyped, textValue, ToolError, type ToolCommand } from './tool-command';

export const backupCommand: ToolCommand = {
  summary: 'makes a backup, also while the console runs',
  help: `berth backup [--to FILE.zip]

Writes a zip of the database as it is at one moment, the stored files and secret.key. The console may be running meanwhile.
Without --to it lies among the backups of the console, where its pages show it. Backups of volumes are not in it.

  --to FILE.zip   where to write it; nothing is overwritten

A backup opens every secret that the console keeps: guard it as you guard the data folder.`,
  options: { to: { type: 'string' } },
  async run({ values, positionals }) {
    if (positionals.length > 0) throw new ToolError(`What is "${positionals[0]}"? Name the file with --to.`);
    const { file, missing } = await backUpOutside(textValue(values, 'to'));
    console.log(file);
    if (missing > 0) console.error(`${missing} stored files that records name are not in the data folder.`);
    return 0;
  },
};

export const restoreCommand: ToolCommand = {
  summary: 'puts a backup in the place of the data, while no console runs',
  help: `berth restore NAME|FILE.zip [--yes]

Checks the backup, puts it in the place of the data, and opens it once. What it replaced stays in before-restore/ of the data
folder until the next restore. The console has to be stopped; its own page restores while it runs. Into an empty data folder a
backup is restored with its own secret.key; with BERTH_SECRET the same value has to be set as when it was made.

  --yes, -y   asks nothing; otherwise the name of the backup has to be typed`,
  options: { yes: { type: 'boolean', short: 'y' } },
  async run({ values, positionals }) {
    const [wanted, ...more] = positionals;
    if (wanted === undefined || more.length > 0) throw new ToolError(`Name one backup.\n\n${restoreCommand.help}`);
    const file = await findBackupOutside(wanted);
    const name = path.basename(file);
    if (!values.yes) await requireTyped(`Everything in ${env().dataDir} is replaced by ${file}.`, name);
    await restoreOutside(file);
    console.log(`${name} is restored. What it replaced is in ${path.join(env().dataDir, 'before-restore')}.`);
    return 0;
  },
};
