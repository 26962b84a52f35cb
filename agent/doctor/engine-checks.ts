import type { EngineInfo } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import { type Check, failed, type Found, ok, skipped, warning } from './check';
import { readRoom } from './room';
import type { Patient } from './patient';

const GIGABYTE = 1e9;
/** Below that a pull of an ordinary image may fail. */
const TIGHT_BYTES = 10 * GIGABYTE;
const FULL_BYTES = GIGABYTE;
const NO_ENGINE = 'The engine does not answer.';
const ADVICE: [RegExp, string][] = [
  [/EACCES|permission denied/i, 'Run the agent as root, or put its user into the group docker.'],
  [/ENOENT/, 'Install Docker and start it (systemctl enable --now docker), or name its address in DOCKER_HOST.'],
  [/ECONNREFUSED/, 'Start Docker: systemctl start docker.'],
  [/certificate|tls|ssl/i, 'Check the certificates in DOCKER_CERT_PATH.'],
];

/** The engine, and whether it can do what Berth asks of it. */
export function engineChecks({ engine, dockerHost }: Pick<Patient, 'engine' | 'dockerHost'>): Check[] {
  // Read once, for all of them.
  const info = engine.info();
  info.catch(() => undefined);
  const withInfo = (look: (info: EngineInfo) => Found | Promise<Found>) => async (): Promise<Found> => {
    const read = await info.catch(() => undefined);
    return read ? look(read) : skipped(NO_ENGINE);
  };
  return [
    {
      name: 'Engine',
      look: () => lookAtEngine(info, { kind: engine.kind, dockerHost, hanging: engine.describeHanging() }),
    },
    { name: 'BuildKit', look: withInfo(lookAtBuildKit) },
    { name: 'Disk of the engine', look: withInfo(lookAtDisk) },
  ];
}

async function lookAtEngine(
  info: Promise<EngineInfo>,
  { kind, dockerHost, hanging }: { kind: string; dockerHost: string; hanging: string },
): Promise<Found> {
  try {
    const { version, apiVersion, os, platform } = await info;
    if (hanging !== '') return warning(hanging, 'Restart the engine if that does not pass: systemctl restart docker.');
    if (kind === 'simulated') return ok(`${os}.`);
    return ok(`${kind} ${version}, API ${apiVersion}, on ${os} (${platform}).`);
  } catch (error) {
    const words = toMessage(error);
    const cure =
      ADVICE.find(([pattern]) => pattern.test(words))?.[1] ?? 'See what the engine says: journalctl -u docker.';
    return failed(`No engine answers at ${dockerHost || 'the usual socket'}: ${words}`, cure);
  }
}

function lookAtBuildKit({ canBuild, hasBuildKit, version }: EngineInfo): Found {
  if (hasBuildKit) return ok('Images are built by BuildKit.');
  const cure = 'Update Docker to 20.10 or later.';
  if (!canBuild) return warning('This engine builds no images.', cure);
  return warning(
    `Engine ${version} has no BuildKit: generated images can not be built here, and builds run without a sandbox.`,
    cure,
  );
}

async function lookAtDisk({ dataRoot }: EngineInfo): Promise<Found> {
  const room = dataRoot === '' ? undefined : await readRoom(dataRoot);
  if (!room) return skipped(`The agent does not see the folder of the engine${dataRoot && `, ${dataRoot}`}.`);
  const words = `${dataRoot} has ${room.text}.`;
  const cure =
    'Remove images and build cache that nobody needs: docker system df, docker builder prune, docker image prune.';
  if (room.freeBytes < FULL_BYTES || room.isOutOfFiles) return failed(words, cure);
  return room.freeBytes < TIGHT_BYTES ? warning(words, cure) : ok(words);
}
