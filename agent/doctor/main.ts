import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DoctorReport, Finding } from '../../lib/protocol/doctor-streams';
import { systemClock } from '../clock';
import { parseAgentEnv } from '../config';
import { ConsoleClient } from '../console/console-client';
import { Identity } from '../console/identity';
import { createEngine } from '../create-engine';
import { createRoute } from '../outbound-proxy';
import { examineHost } from './examine-host';

const MARKS: Record<Finding['state'], string> = { ok: 'ok', warning: 'WARNING', failed: 'FAILED', skipped: '-' };

/** The report as a person reads it in a terminal. */
export function printReport({ findings }: DoctorReport): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, found, cure }) => {
    const line = `${MARKS[state].padEnd(7)}  ${check.padEnd(width)}  ${found}`;
    return cure === '' ? [line] : [line, `${' '.repeat(width + 11)}→ ${cure}`];
  });
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length;
  return [...lines, '', `${count('failed')} failed, ${count('warning')} to look at`].join('\n');
}

/**
 * Looks at this machine with the settings of its agent, which may run meanwhile, and prints what it found. Returns the exit
 * code: 1 where something has failed.
 */
export async function runDoctor(source: Record<string, string | undefined>, isJson: boolean): Promise<number> {
  const settings = parseAgentEnv(source);
  const { consoleUrl, proxy, stateDir } = settings;
  const { dispatcher, linkAgent } = createRoute(consoleUrl, proxy);
  const engine = createEngine(settings);
  try {
    const hasJoined = existsSync(path.join(stateDir, 'identity.json'));
    const identity = hasJoined ? await Identity.load(stateDir) : undefined;
    const client = identity?.hostId
      ? new ConsoleClient({ consoleUrl, identity, clock: systemClock, dispatcher })
      : undefined;
    const dockerHost = settings.dockerHost ?? '';
    const report = await examineHost({ ...settings, dockerHost, dispatcher, linkAgent, client, engine });
    process.stdout.write(`${isJson ? JSON.stringify(report, undefined, 2) : printReport(report)}\n`);
    return report.findings.some(({ state }) => state === 'failed') ? 1 : 0;
  } finally {
    await engine.close();
    await dispatcher.destroy();
    linkAgent?.destroy();
  }
}
