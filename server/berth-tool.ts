import '@/lib/api/collections';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ClaimedError } from '@/db/data-folder';
import { startAreas } from '@/lib/api/start-areas';
import { AppError } from '@/lib/errors';
import { cleanAfterCutOff } from '@/lib/cut-off';
import { describeStorageFault } from '@/lib/storage-fault';
import { backupCommand, restoreCommand } from './tool-backups';
import { exportCommand, importCommand } from './tool-carry';
import { upgradeCheckCommand } from './tool-checks';
import { ToolError, type ToolCommand } from './tool-command';

/** What the tool ends with where a command does not say otherwise. */
const FAILED = 1;
const WRONG_USE = 2;
const CONSOLE_RUNS = 3;

const commands: Record<string, ToolCommand> = {
  backup: backupCommand,
  restore: restoreCommand,
  'upgrade-check': upgradeCheckCommand,
  export: exportCommand,
  import: importCommand,
};

function usage(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(15)} ${summary}`);
  return `Work on the data folder of a Berth console (BERTH_DATA_DIR), on the machine that holds it.

${lines.join('\n')}

berth <command> --help says more. Ends with 0 when all is done, 1 where something is wrong or was refused, 2 when it was
called in a wrong way, 3 where the console runs and has to be stopped first`;
}

async function main([name = '', ...rest]: readonly string[]): Promise<number> {
  if (['', 'help', '--help', '-h'].includes(name)) {
    (name === '' ? console.error : console.log)(usage());
    return name === '' ? WRONG_USE : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new ToolError(`There is no command "${name}".\n\n${usage()}`);
  const { values, positionals } = parse(command, rest);
  if (values.help) {
    console.log(command.help);
    return 0;
  }
  startAreas();
  return command.run({ values, positionals });
}

function parse({ options, help }: ToolCommand, args: readonly string[]) {
  const config = {
    args: [...args],
    allowPositionals: true,
    options: { ...options, help: { type: 'boolean', short: 'h' } },
  } satisfies ParseArgsConfig;
  try {
    return parseArgs(config);
  } catch (error) {
    throw new ToolError(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  }
}

function codeOf(error: unknown): number {
  if (error instanceof ClaimedError) return CONSOLE_RUNS;
  return error instanceof ToolError ? WRONG_USE : FAILED;
}

/** What is said of a failure: what people can do something about, never where in the program it was. */
function wordsOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  return describeStorageFault(error) ?? (error instanceof Error ? error.message : String(error));
}

// What is written is its owner's alone, whatever the shell's mask is.
process.umask(0o077);
for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const) {
  process.once(signal, () => {
    cleanAfterCutOff();
    process.exit(128 + number);
  });
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(wordsOf(error));
    process.exit(codeOf(error));
  },
);
