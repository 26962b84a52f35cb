import type { ProxySpec } from '../../../lib/protocol/specs/proxy';
import type { Engine } from '../../engines/engine';
import { EngineError } from '../../engines/engine-error';
import type { EngineProxies, ObservedProxyContainer } from '../../engines/engine-proxies';
import { HostNames } from '../../jobs/host-names';
import { hashProxy } from './hash-proxy';
import type { ProxyFolder } from './proxy-folder';

interface Parts {
  engine: Engine;
  proxies: EngineProxies;
  hostId: string;
  folder: ProxyFolder;
}

interface Deploying extends Parts {
  signal: AbortSignal;
  onStep(message: string): void;
}

/**
 * Makes the proxy's container in place of those that are there. All that can fail without touching them comes first.
 * Throws an EngineError.
 */
export async function deployProxy(
  spec: ProxySpec,
  held: readonly ObservedProxyContainer[],
  { engine, proxies, hostId, folder, signal, onStep }: Deploying,
): Promise<void> {
  await proxies.requireFreeName(hostId, spec.containerName);
  const image = await prepareImage(spec, { engine, signal, onStep });
  await proxies.ensureNetwork(hostId, spec.networkName);
  signal.throwIfAborted();
  onStep('Being deployed');
  const paths = await folder.write(spec.folder, spec.config);
  await proxies.requireSeen({ hostId, image, config: spec.config, configFile: paths.configFile });
  await removeContainers(held, { engine, folder, keep: paths.configFile });
  signal.throwIfAborted();
  const containerId = await proxies.create({ hostId, specHash: hashProxy(spec), image, spec, ...paths });
  await engine.startContainer(containerId);
  await proxies.removeNetworks(hostId, spec.networkName);
}

/** Takes away what `deployProxy` made; dynamic configuration stays where it is. */
export async function removeProxy(held: readonly ObservedProxyContainer[], parts: Parts): Promise<void> {
  const { engine, folder, proxies, hostId } = parts;
  await removeContainers(held, { engine, folder, keep: '' });
  await proxies.removeNetworks(hostId, '');
}

async function removeContainers(
  held: readonly ObservedProxyContainer[],
  { engine, folder, keep }: Pick<Parts, 'engine' | 'folder'> & { keep: string },
): Promise<void> {
  for (const { containerId, configFile } of held) {
    await engine.removeContainer(containerId);
    if (configFile !== '' && configFile !== keep) await folder.removeFile(configFile);
  }
}

/** What the container is made from: the host's own image of that name, or the one that was pulled. */
async function prepareImage(
  { image: { reference, tag, account, pullTimeoutMs } }: ProxySpec,
  { engine, signal, onStep }: Pick<Deploying, 'engine' | 'signal' | 'onStep'>,
): Promise<string> {
  for (const name of [reference, tag]) if (await engine.findImage(name)) return name;
  onStep(`Pulling ${reference}`);
  const deadline = pullTimeoutMs > 0 ? AbortSignal.timeout(pullTimeoutMs) : new AbortController().signal;
  const options = { log: () => undefined, signal: AbortSignal.any([signal, deadline]) };
  try {
    await HostNames.of(engine).pull({ reference, tag, auths: account ? [account] : [], options });
    return tag;
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    const words = `The pull of ${reference} took longer than ${Math.round(pullTimeoutMs / 1000)} s`;
    throw new EngineError('busy', words, { cause: error });
  }
}
