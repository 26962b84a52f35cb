import { readFile, stat } from 'node:fs/promises';
import { isInside } from '../lib/protocol/folders';

const MARKS = ['/.dockerenv', '/run/.containerenv'];
/** What a container has of its own, and no folder of its host. */
const OWN_SYSTEMS = new Set(['overlay', 'proc', 'sysfs', 'tmpfs', 'devpts', 'devtmpfs', 'mqueue', 'cgroup', 'cgroup2']);

/** Whether the agent runs in a container, where it sees little of the machine. */
export async function isContained(): Promise<boolean> {
  const found = MARKS.map((mark) =>
    stat(mark).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).includes(true);
}

/** Whether a folder is seen as it is on the host: outside of containers always, inside where it was mounted. */
export async function seesHostFolder(folder: string): Promise<boolean> {
  if (!(await isContained())) return true;
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return readMounts(table).some((mount) => isInside(mount, folder));
}

/** The mount points of a `mountinfo` table that are no part of a container's own system. */
export function readMounts(table: string): string[] {
  return table.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const place = before.split(' ')[4]?.replace(/\\(\d{3})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    );
    const system = after.split(' ')[0] ?? '';
    return place && place !== '/' && system !== '' && !OWN_SYSTEMS.has(system) ? [place] : [];
  });
}
