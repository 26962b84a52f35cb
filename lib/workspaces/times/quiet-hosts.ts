import 'server-only';
import { AppError } from '@/lib/errors';
import { askHost } from '@/lib/hosts/link/ask-host';
import { log } from '@/lib/log';
import { quietSchema } from '@/lib/protocol/measure-streams';
import { timesSetting } from '@/lib/settings/times-setting';

/** A host that takes longer is asked again the next time. */
const PATIENCE_MS = 5000;
const HOSTS_AT_ONCE = 20;

/** Seconds for which workspaces are not in use, by id; of a host that gives no answer nothing is known. */
export async function askQuiet(hostIds: readonly string[]): Promise<Map<string, number>> {
  const waiting = [...new Set(hostIds)];
  const quiet = new Map<string, number>();
  const work = async (): Promise<void> => {
    for (let host = waiting.shift(); host !== undefined; host = waiting.shift()) {
      for (const { id, seconds } of await askOne(host)) quiet.set(`${host}/${id}`, seconds);
    }
  };
  await Promise.all(Array.from({ length: Math.min(HOSTS_AT_ONCE, waiting.length) }, work));
  return quiet;
}

async function askOne(hostId: string): Promise<{ id: string; seconds: number }[]> {
  const { quietCpuPercent, quietNetworkBytes } = timesSetting();
  const open = { kind: 'quiet', cpu: quietCpuPercent / 100, network: quietNetworkBytes } as const;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return (await askHost(hostId, open, { schema: quietSchema, signal })).workspaces;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.debug({ hostId, reason: error.message }, 'which workspaces are in use is not known');
    return [];
  }
}
