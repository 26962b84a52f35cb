import { runUpgradeChecks } from '@/lib/health/upgrade-checks';
import { ToolError, type ToolCommand } from './tool-command';

const marks = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ', skipped: '-      ' };

export const upgradeCheckCommand: ToolCommand = {
  summary: 'looks at what stands in the way of this version, and changes nothing',
  help: `berth upgrade-check [--strict] [--json]

Run it with the new version on the data of the old one, before the console is started: Node, the database through and through,
what would be changed and whether there is room for the copy that is made first, the secret, the age of the backups, agents
that are too old, settings that are no longer taken. The console may be running meanwhile.

  --strict   ends with 1 for warnings too
  --json     prints the same for programs

Ends with 1 where an error was found.`,
  options: { strict: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ values, positionals }) {
    if (positionals.length > 0) throw new ToolError(`What is "${positionals[0]}"? This takes no names.`);
    const checks = await runUpgradeChecks();
    if (values.json) console.log(JSON.stringify({ checks }, null, 2));
    else for (const { code, state, found, cure } of checks) print(`${marks[state]}  ${code}: ${found}`, cure);
    const isBad = checks.some(({ state }) => state === 'error' || (values.strict && state === 'warning'));
    return isBad ? 1 : 0;
  },
};

function print(line: string, cure: string): void {
  console.log(cure === '' ? line : `${line}\n         → ${cure}`);
}
