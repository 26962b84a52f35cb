import path from 'node:path';
import { DockerEngine } from './engines/docker/docker-engine';
import type { Engine } from './engines/engine';
import { SimulatedEngine } from './engines/simulated/simulated-engine';

/** The engine that the configuration names, or the one that it holds. */
export function createEngine(config: {
  engine: 'docker' | 'simulated' | Engine;
  dockerHost?: string | undefined;
  dockerCertPath?: string | undefined;
  networkPool?: string | undefined;
  stateDir: string;
}): Engine {
  if (config.engine === 'docker') {
    const { dockerHost = '', dockerCertPath: certPath, networkPool } = config;
    return new DockerEngine({ dockerHost, certPath, networkPool });
  }
  if (config.engine !== 'simulated') return config.engine;
  return new SimulatedEngine({ imagesFile: path.join(config.stateDir, 'simulated-images.json') });
}
