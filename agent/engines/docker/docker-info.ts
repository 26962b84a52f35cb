import type Docker from 'dockerode';
import { z } from 'zod';
import type { EngineInfo } from '../engine';
import { ask } from './docker-client';

const infoSchema = z.object({
  ServerVersion: z.string().default(''),
  OperatingSystem: z.string().default(''),
  OSType: z.string().default('linux'),
  Architecture: z.string().default(''),
  NCPU: z.number().default(0),
  MemTotal: z.number().default(0),
  DockerRootDir: z.string().default(''),
  DefaultRuntime: z.string().default('runc'),
  LoggingDriver: z.string().default(''),
  Runtimes: z.record(z.string(), z.unknown()).default({}),
});
const versionSchema = z.object({ ApiVersion: z.string().default('') });

/** BuildKit came to the engine's own build call with API 1.39; 20.10 (1.41) is the first where it needs no session. */
const BUILDKIT_API = 41;

const ARCHITECTURES: Record<string, string> = { x86_64: 'amd64', aarch64: 'arm64' };

export async function readEngineInfo(docker: Docker): Promise<EngineInfo> {
  const [rawInfo, rawVersion] = await ask(() => Promise.all([docker.info(), docker.version()]));
  const info = infoSchema.parse(rawInfo);
  const apiVersion = versionSchema.parse(rawVersion).ApiVersion;
  return {
    version: info.ServerVersion,
    apiVersion,
    os: info.OperatingSystem,
    platform: `${info.OSType}/${ARCHITECTURES[info.Architecture] ?? info.Architecture}`,
    cpuCores: info.NCPU,
    memoryBytes: info.MemTotal,
    dataRoot: info.DockerRootDir,
    defaultRuntime: info.DefaultRuntime,
    runtimes: Object.keys(info.Runtimes).filter((name) => !name.startsWith('io.containerd.')),
    logDriver: info.LoggingDriver,
    canBuild: true,
    hasBuildKit: info.OSType === 'linux' && Number(apiVersion.split('.')[1] ?? 0) >= BUILDKIT_API,
  };
}
