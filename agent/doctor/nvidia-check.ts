import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { toMessage } from '../engines/engine-error';
import { parseGpus } from '../gpu';
import { type Check, failed, type Found, ok, skipped, warning } from './check';
import type { Patient } from './patient';

const run = promisify(execFile);
const TIMEOUT_MS = 8000;
const QUERY = ['--query-gpu=uuid,name,memory.total,driver_version', '--format=csv,noheader,nounits'];
const NVIDIA_VENDOR = '0x10de';
/** The first byte of a display controller's PCI class. */
const DISPLAY_CLASS = '0x03';
export const PCI_DEVICES = '/sys/bus/pci/devices';
const CDI_FOLDERS = ['/etc/cdi', '/var/run/cdi'];

const INSTALL_DRIVER =
  'Install the driver and restart the machine. Ubuntu: ubuntu-drivers install --gpgpu. Debian: apt-get install nvidia-driver (section non-free).';
const INSTALL_TOOLKIT =
  'Install the NVIDIA Container Toolkit, then tell Docker of it: apt-get install nvidia-container-toolkit; ' +
  'nvidia-ctk runtime configure --runtime=docker; systemctl restart docker.';

/** NVIDIA cards, their driver, and what brings them into containers. `pciDir` is where the kernel lists its devices. */
export function nvidiaCheck({ engine }: Pick<Patient, 'engine'>, pciDir = PCI_DEVICES): Check {
  return {
    name: 'NVIDIA',
    look: async () => {
      const driver = await askDriver();
      if (driver === 'missing') return judgeBareCards((await countCards(pciDir)) ?? 0);
      if ('problem' in driver) return failed(`nvidia-smi fails: ${driver.problem}`, INSTALL_DRIVER);
      return lookAtToolkit(driver.words, engine);
    },
  };
}

/** `csv` is what nvidia-smi said: uuid, model, MiB and driver version of each card. */
export async function askDriver(): Promise<'missing' | { problem: string } | { words: string; csv: string }> {
  try {
    const { stdout } = await run('nvidia-smi', QUERY, { timeout: TIMEOUT_MS });
    const cards = parseGpus(stdout);
    if (cards.length === 0) return { problem: 'it lists no card' };
    const version = stdout.split('\n')[0]?.split(',')[3]?.trim() ?? '';
    return { words: `Driver ${version} with ${cards.map(({ model }) => model).join(', ')}`, csv: stdout };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return { problem: (stderr || stdout || toMessage(error)).trim().split('\n')[0]! };
  }
}

function judgeBareCards(cards: number): Found {
  if (cards === 0) return skipped('This machine has no NVIDIA card.');
  const found =
    cards === 1
      ? 'There is an NVIDIA card without its driver.'
      : `There are ${cards} NVIDIA cards without their driver.`;
  return warning(found, INSTALL_DRIVER);
}

/** NVIDIA cards, with a driver or without; null where nobody sees the machine's devices. */
export async function countCards(pciDir: string): Promise<number | null> {
  const devices = await readdir(pciDir).catch(() => undefined);
  if (!devices) return null;
  const read = (device: string, file: string) => readFile(path.join(pciDir, device, file), 'utf8').catch(() => '');
  const isCard = async (device: string): Promise<boolean> =>
    (await read(device, 'vendor')).trim() === NVIDIA_VENDOR && (await read(device, 'class')).startsWith(DISPLAY_CLASS);
  return (await Promise.all(devices.map(isCard))).filter(Boolean).length;
}

async function lookAtToolkit(words: string, engine: Patient['engine']): Promise<Found> {
  const runtimes = await engine.info().then(
    (info) => info.runtimes,
    () => undefined,
  );
  if (!runtimes) return skipped(`${words}; the engine does not answer, so nobody knows whether containers get them.`);
  if (runtimes.includes('nvidia')) return ok(`${words}; containers get them by the runtime nvidia.`);
  if (await hasCdi()) return ok(`${words}; containers get them by CDI.`);
  return warning(`${words}; but containers can't be given them: Docker has no runtime nvidia.`, INSTALL_TOOLKIT);
}

/** Whether cards are described for engines that give devices by name. */
export async function hasCdi(): Promise<boolean> {
  const described = (await Promise.all(CDI_FOLDERS.map((folder) => readdir(folder).catch(() => [])))).flat();
  return described.some((name) => name.includes('nvidia'));
}
