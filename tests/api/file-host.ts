import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SimulatedEngine } from '@/agent/engines/simulated/simulated-engine';
import { systemClock } from '@/agent/clock';
import { createJsonLog } from '@/agent/log';
import { HostSampler } from '@/agent/measures/host-sampler';
import { Sampler } from '@/agent/measures/sampler';
import { CleanUp } from '@/agent/disk/clean-up';
import { examine } from '@/agent/doctor/check';
import { engineChecks } from '@/agent/doctor/engine-checks';
import { reportNvidia } from '@/agent/doctor/nvidia-report';
import { answer } from '@/agent/streams/answers';
import { serveFiles } from '@/agent/streams/files';
import { serveRemoteDigest, serveSignIn } from '@/agent/streams/sign-in';
import { askTraefik } from '@/agent/streams/traefik';
import { serveMeasures } from '@/agent/streams/measures';
import { serveVolumes } from '@/agent/streams/volumes';
import { Uploads } from '@/agent/streams/uploads';
import { isFilesOpen } from '@/lib/protocol/file-streams';
import { isMeasuresOpen } from '@/lib/protocol/measure-streams';
import { isVolumeOpen } from '@/lib/protocol/volume-streams';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import type { OpenStream } from '@/lib/protocol/streams';
import { makeWorkspaceSpec } from '../agent/specs';
import { startTraefikApi } from '../setup/traefik-api';
import { MemoryVolumes } from './volume-host';

/** What lies on the disk of a file host's engine. */
export const DISK = {
  layersBytes: 100,
  images: 5,
  containers: { count: 1, sizeBytes: 2 },
  volumes: { count: 1, sizeBytes: 3 },
  buildCache: { sizeBytes: 9, unusedBytes: 7 },
  unused: ['built', 'wanted', 'local', 'nameless', 'other'].map((name, index) => ({
    imageId: `sha256:${name}`,
    tags: name === 'nameless' ? [] : [`team/${name}:1`],
    sizeBytes: 50 - index,
    createdAt: '2026-01-01T00:00:00.000Z',
  })),
};

/** What an agent does with questions about files, measures, its engine and its proxy, over a simulated engine. */
export interface FileHost {
  answer(stream: MuxStream, open: OpenStream): void;
  volumes: MemoryVolumes;
  addContainer(workspaceId: string): Promise<void>;
  close(): Promise<void>;
}

export async function createFileHost(): Promise<FileHost> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'berth-files-'));
  const engine = new SimulatedEngine({ images: ['berth/test:1'] });
  const sampler = new Sampler({ engine, hostId: 'h1', clock: systemClock, gpusOf: () => null, stepSeconds: 1 });
  sampler.start();
  const readDisk = () => Promise.resolve({ diskBytes: 10, diskFreeBytes: 5 });
  const hostSampler = new HostSampler({
    stateDir,
    clock: systemClock,
    readDisk,
    hasGpus: () => false,
    log: createJsonLog('silent', () => undefined),
  });
  const source = { engine, hostId: 'h1', uploads: new Uploads(stateDir), sampler };
  const traefik = await startTraefikApi();
  const lookAtEngine = async () => ({ findings: await examine(engineChecks({ engine, dockerHost: '' })) });
  const findRemoteDigest = () => Promise.resolve('sha256:new');
  const disk = {
    read: () => Promise.resolve(structuredClone(DISK)),
    removeImage: () => Promise.resolve(),
    emptyBuildCache: () => Promise.resolve(7),
  };
  const cleanUp = new CleanUp({
    engine: { ...engine, disk } as never,
    clock: systemClock,
    isBusy: () => false,
    signal: new AbortController().signal,
  });
  const volumes = new MemoryVolumes();
  const volumeSource = {
    engine: { ...engine, volumeFiles: volumes } as never,
    findVolume: (id: string) => Promise.resolve({ hostId: 'h1', id, folder: '' }),
    uploads: source.uploads,
  };
  return {
    volumes,
    answer: (stream, open) => {
      if (isVolumeOpen(open)) serveVolumes(stream, open, volumeSource);
      else if (isFilesOpen(open)) serveFiles(stream, open, source);
      else if (isMeasuresOpen(open)) serveMeasures(stream, open, source);
      else if (open.kind === 'signIn') serveSignIn(stream, open, { ...engine, signIn: async () => undefined } as never);
      else if (open.kind === 'remoteDigest') serveRemoteDigest(stream, open, { findRemoteDigest } as never);
      else if (open.kind === 'doctor') void answer(stream, lookAtEngine);
      else if (open.kind === 'disk') void answer(stream, () => cleanUp.read());
      else if (open.kind === 'prune') void answer(stream, () => cleanUp.begin(open));
      else if (open.kind === 'hostMetrics') void answer(stream, () => Promise.resolve(hostSampler.read(open.span)));
      else if (open.kind === 'nvidia') void answer(stream, () => reportNvidia(engine));
      else if (open.kind === 'traefik') {
        void answer(stream, () => askTraefik({ ...open, apiPort: traefik.port }, traefik.engine));
      }
    },
    async addContainer(workspaceId) {
      const containerId = await engine.createContainer({
        name: `berth-files-${workspaceId}-1`,
        hostId: 'h1',
        workspaceId,
        specHash: '',
        image: 'berth/test:1',
        spec: makeWorkspaceSpec(),
        mounts: [],
        runtime: '',
      });
      await engine.startContainer(containerId);
    },
    async close() {
      await sampler.stop();
      await traefik.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
