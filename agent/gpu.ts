import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Resources } from '../lib/protocol/calls';

const run = promisify(execFile);
const QUERY = ['--query-gpu=uuid,name,memory.total', '--format=csv,noheader,nounits'];
const TIMEOUT_MS = 5000;
const MEBIBYTE = 1024 * 1024;

/** The host's NVIDIA cards; none where `nvidia-smi` is missing or fails. */
export async function listGpus(): Promise<Resources['gpus']> {
  try {
    const { stdout } = await run('nvidia-smi', QUERY, { timeout: TIMEOUT_MS });
    return parseGpus(stdout);
  } catch {
    // No driver, no cards: that is how most hosts are.
    return [];
  }
}

/** What is going on on a card. */
export interface GpuLoad {
  uuid: string;
  /** 0 to 1. */
  load: number;
  memoryBytes: number;
}

const LOAD_QUERY = ['--query-gpu=uuid,utilization.gpu,memory.used', '--format=csv,noheader,nounits'];

/** The load of the host's NVIDIA cards, in their order; none where it can't be told. */
export async function readGpuLoads(): Promise<GpuLoad[]> {
  try {
    const { stdout } = await run('nvidia-smi', LOAD_QUERY, { timeout: TIMEOUT_MS });
    return parseGpuLoads(stdout);
  } catch {
    return [];
  }
}

/** A card that does not say its load, as parts of one don't, is left out. */
export function parseGpuLoads(csv: string): GpuLoad[] {
  return csv.split('\n').flatMap((line) => {
    const [uuid = '', load = '', memory = ''] = line.split(',').map((cell) => cell.trim());
    if (uuid === '' || !/^\d+$/.test(load)) return [];
    return [{ uuid, load: Number(load) / 100, memoryBytes: (Number(memory) || 0) * MEBIBYTE }];
  });
}

export function parseGpus(csv: string): Resources['gpus'] {
  return csv.split('\n').flatMap((line) => {
    const [uuid = '', model = '', memory = ''] = line.split(',').map((cell) => cell.trim());
    return uuid ? [{ uuid, model, memoryBytes: (Number(memory) || 0) * MEBIBYTE, usedBy: [] }] : [];
  });
}
