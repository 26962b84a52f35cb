import 'server-only';
import type { HostRow } from './collection';
import type { WriteTransaction } from '@/lib/records/transaction';
import type { HostSpec } from '@/lib/protocol/specs/host';
import { forwardAuthAddress, forwardAuthSetting } from '@/lib/settings/forward-auth';
import { proxyTypeOf } from '@/lib/vocabulary/host';
import { isolationOf } from '@/lib/vocabulary/host-isolation';
import { hostKind } from './at-host';
import { getDesired, putDesired } from './link/desired';

/** Builds that a host runs side by side. */
const BUILD_WIDTH = 1;

/** The settings of a host that its agent needs. Its registry accounts come with the jobs that need them. */
export function hostSpecOf(host: HostRow): HostSpec {
  return {
    name: host.name,
    enabled: host.enabled,
    defaultRuntime: host.default_runtime,
    defaultGpuRuntime: host.default_gpu_runtime,
    registryAuths: [],
    buildWidth: BUILD_WIDTH,
    sharedBindFolders: isolationOf(host).sharedBindFolders,
    reverseProxy: reverseProxyOf(host),
  };
}

/** The Traefik that somebody runs there, and whom it is to ask. */
function reverseProxyOf({ reverse_proxy: proxy }: HostRow): HostSpec['reverseProxy'] {
  const { containerName = '', entryPoint = '', certResolver = '', configFileLocation = '' } = proxy ?? {};
  const type = proxyTypeOf(proxy);
  const texts = { containerName, entryPoint, certResolver, configFileLocation };
  if (type === 'none') return { type, ...texts, forwardAuth: '', furtherAuth: [] };
  return { type, ...texts, forwardAuth: forwardAuthAddress(), furtherAuth: forwardAuthSetting().entries };
}

/** The same as `writeHostObject`, for a host that has such an object. */
export function refreshHostObject(tx: WriteTransaction, host: HostRow): void {
  if (getDesired(hostKind, host.id, host.id)) writeHostObject(tx, host);
}

/** Brings the host's own desired object up to its record; does nothing when the agent has it already. */
export function writeHostObject(tx: WriteTransaction, host: HostRow): void {
  const spec = hostSpecOf(host);
  const held = getDesired(hostKind, host.id, host.id);
  if (held?.spec && JSON.stringify(held.spec) === JSON.stringify(spec)) return;
  putDesired(tx, hostKind, { hostId: host.id, objectId: host.id, spec });
}
