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

export function parseGpus(csv: string): Resources['gpus'] {
  return csv.split('\n').flatMap((line) => {
    const [uuid = '', model = '', memory = ''] = line.split(',').map((cell) => cell.trim());
    return uuid ? [{ uuid, model, memoryBytes: (Number(memory) || 0) * MEBIBYTE, usedBy: [] }] : [];
  });
}
