import { DockerEngine } from './engines/docker/docker-engine';
import type { Engine } from './engines/engine';
import { SimulatedEngine } from './engines/simulated/simulated-engine';

/** The engine that the configuration names, or the one that it holds. */
export function createEngine(config: {
  engine: 'docker' | 'simulated' | Engine;
  dockerHost?: string | undefined;
  dockerCertPath?: string | undefined;
}): Engine {
  if (config.engine === 'docker') {
    return new DockerEngine({ dockerHost: config.dockerHost ?? '', certPath: config.dockerCertPath });
  }
  return config.engine === 'simulated' ? new SimulatedEngine() : config.engine;
}
