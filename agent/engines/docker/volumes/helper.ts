import type { Duplex } from 'node:stream';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import { z } from 'zod';
import { labels } from '../../../../lib/protocol/specs/desired';
import { EngineError, type EngineErrorKind } from '../../engine-error';
import type { VolumePlace } from '../../engine-volume-files';
import { ask } from '../docker-client';
import { nameResource } from '../resources';
import { ensureHelperImage, HELPER_KIND } from './helper-image';

/** Where a helper sees the volume. */
export const HELPER_ROOT = '/volume';
const START_MS = 20_000;
const MEMORY_BYTES = 512 * 1024 ** 2;
const PIDS = 64;
/** It does what root of the machine does with files, and nothing else that root does. */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'DAC_READ_SEARCH', 'FOWNER', 'FSETID'];
const GONE = 'The helper of the volume ended before its time.';

const answerSchema = z.object({
  id: z.number(),
  answer: z.unknown().optional(),
  refused: z.object({ code: z.string(), message: z.string() }).optional(),
});

/** What a helper's refusals are called here. */
const KINDS: Readonly<Record<string, EngineErrorKind>> = {
  missing: 'not-found',
  invalid: 'invalid',
  exists: 'exists',
  busy: 'busy',
  full: 'full',
};

interface Asked {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/**
 * A container that sees one volume, and answers questions about it for as long as the agent's connection to it stands: one
 * that is killed takes its helpers along.
 */
export class Helper {
  private readonly asked = new Map<number, Asked>();
  private lastId = 0;
  private over: Error | undefined;

  private constructor(
    readonly containerId: string,
    private readonly docker: Docker,
    private readonly stream: Duplex,
  ) {
    const output = new PassThrough();
    docker.modem.demuxStream(stream, output, new PassThrough().resume());
    const lines = createInterface({ input: output });
    lines.on('line', (line) => this.take(line));
    for (const event of ['end', 'close', 'error']) stream.once(event, () => this.fail(new EngineError('failed', GONE)));
  }

  /** Throws an EngineError, nothing left behind. */
  static async open(docker: Docker, volume: VolumePlace): Promise<Helper> {
    const { image, command } = await ensureHelperImage(docker);
    const container = await ask(() => docker.createContainer(toCreateOptions(volume, { image, command })));
    try {
      const attach = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true };
      const stream = (await ask(() => container.attach(attach))) as Duplex;
      const helper = new Helper(container.id, docker, stream);
      const ready = helper.wait(0);
      ready.catch(() => undefined);
      await ask(() => container.start());
      await withinTime(ready);
      return helper;
    } catch (error) {
      await container.remove({ force: true }).catch(() => undefined);
      throw error;
    }
  }

  get isOver(): boolean {
    return this.over !== undefined;
  }

  /** Throws an EngineError with the helper's refusal. */
  async ask<T>(question: { act: string; [key: string]: unknown }, schema: z.ZodType<T>): Promise<T> {
    const id = (this.lastId += 1);
    const answered = this.wait(id);
    this.stream.write(`${JSON.stringify({ id, ...question })}\n`);
    return schema.parse(await answered);
  }

  /** Resolves once nothing of it is left. */
  async close(): Promise<void> {
    this.fail(new EngineError('cancelled', 'Cancelled'));
    this.stream.end();
    this.stream.destroy();
    await this.docker
      .getContainer(this.containerId)
      .remove({ force: true })
      .catch(() => undefined);
  }

  private wait(id: number): Promise<unknown> {
    if (this.over) return Promise.reject(this.over);
    return new Promise((resolve, reject) => this.asked.set(id, { resolve, reject }));
  }

  private take(line: string): void {
    const read = answerSchema.safeParse(safeJson(line));
    if (!read.success) return;
    const { id, answer, refused } = read.data;
    const waiting = this.asked.get(id);
    this.asked.delete(id);
    if (!refused) waiting?.resolve(answer ?? null);
    else waiting?.reject(new EngineError(KINDS[refused.code] ?? 'failed', refused.message));
  }

  private fail(error: Error): void {
    this.over ??= error;
    for (const { reject } of this.asked.values()) reject(this.over);
    this.asked.clear();
  }
}

function toCreateOptions(
  volume: VolumePlace,
  { image, command }: { image: string; command: string[] },
): Docker.ContainerCreateOptions {
  const { hostId, id, folder } = volume;
  const mount: Docker.MountSettings =
    folder === ''
      ? {
          Type: 'volume',
          Source: nameResource('volume', { hostId, id }),
          Target: HELPER_ROOT,
          VolumeOptions: { NoCopy: true, Labels: {}, DriverConfig: { Name: 'local', Options: {} } },
        }
      : { Type: 'bind', Source: folder, Target: HELPER_ROOT };
  return {
    Image: image,
    Entrypoint: command,
    Cmd: [],
    WorkingDir: '/',
    User: '0:0',
    // The end of the connection is the end of its input, and of itself.
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    NetworkDisabled: true,
    Labels: { [labels.host]: hostId, [labels.kind]: HELPER_KIND, [labels.id]: id },
    HostConfig: {
      AutoRemove: true,
      Mounts: [mount],
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      CapAdd: CAPABILITIES,
      // Files of a volume carry the labels of whichever container wrote them.
      SecurityOpt: ['no-new-privileges', 'label=disable'],
      PidsLimit: PIDS,
      Memory: MEMORY_BYTES,
      LogConfig: { Type: 'none', Config: {} },
    },
  };
}

async function withinTime(ready: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new EngineError('busy', 'The helper of the volume does not start.')), START_MS);
  });
  await Promise.race([ready, late]).finally(() => clearTimeout(timer));
}

function safeJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
