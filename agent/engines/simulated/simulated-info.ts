import type { EngineInfo } from '../engine';

/** What the simulated engine says of itself. */
export const simulatedInfo: EngineInfo = {
  version: 'simulated',
  apiVersion: 'simulated',
  os: 'Simulated engine: nothing is really run',
  platform: 'linux/amd64',
  cpuCores: 8,
  memoryBytes: 16 * 1024 ** 3,
  dataRoot: '',
  defaultRuntime: 'runc',
  runtimes: ['runc'],
  canBuild: true,
  hasBuildKit: true,
  logDriver: 'json-file',
};
