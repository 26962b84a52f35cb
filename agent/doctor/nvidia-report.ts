import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { NvidiaReport } from '../../lib/protocol/proxy-streams';
import { isContained } from '../contained';
import type { Engine } from '../engines/engine';
import { parseGpus } from '../gpu';
import { askDriver, countCards, hasCdi, PCI_DEVICES } from './nvidia-check';

const run = promisify(execFile);
const TIMEOUT_MS = 5000;

/** What a host has of NVIDIA's: its driver, its cards, and what brings them into containers. Changes nothing. */
export async function reportNvidia(engine: Pick<Engine, 'info'>, pciDir = PCI_DEVICES): Promise<NvidiaReport> {
  const [driver, seenCards, toolkitVersion, given, contained] = await Promise.all([
    askDriver(),
    countCards(pciDir),
    readToolkitVersion(),
    findGiven(engine),
    isContained(),
  ]);
  const csv = typeof driver === 'object' && 'csv' in driver ? driver.csv : '';
  return {
    driverVersion: csv.split('\n')[0]?.split(',')[3]?.trim().slice(0, 100) ?? '',
    cards: parseGpus(csv)
      .slice(0, 100)
      .map(({ model, memoryBytes }) => ({ model: model.slice(0, 200), memoryBytes })),
    seenCards,
    toolkitVersion,
    given,
    isContained: contained,
    problem: typeof driver === 'object' && 'problem' in driver ? `nvidia-smi: ${driver.problem}`.slice(0, 2000) : '',
  };
}

/** As in `NVIDIA Container Toolkit CLI version 1.17.8`. Empty where there is none. */
async function readToolkitVersion(): Promise<string> {
  try {
    const { stdout } = await run('nvidia-ctk', ['--version'], { timeout: TIMEOUT_MS });
    return /version\s+v?([0-9][\w.+~-]*)/i.exec(stdout)?.[1]?.slice(0, 100) ?? '';
  } catch {
    // No toolkit, or one that only the machine around this container has.
    return '';
  }
}

async function findGiven(engine: Pick<Engine, 'info'>): Promise<NvidiaReport['given']> {
  const runtimes = await engine.info().then(
    (info) => info.runtimes,
    () => undefined,
  );
  if (runtimes?.includes('nvidia')) return 'runtime';
  if (await hasCdi()) return 'cdi';
  return runtimes ? 'none' : 'unknown';
}
