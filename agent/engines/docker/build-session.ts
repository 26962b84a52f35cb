import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type Docker from 'dockerode';
import protobuf from 'protobufjs';
import { toEngineError } from './docker-errors';

export interface NamedSecret {
  name: string;
  value: string;
}

export interface BuildSession {
  id: string;
  close(): void;
}

const PATHS = {
  getSecret: '/moby.buildkit.secrets.v1.Secrets/GetSecret',
  check: '/grpc.health.v1.Health/Check',
};

const root = protobuf.Root.fromJSON({
  nested: {
    SecretRequest: { fields: { ID: { type: 'string', id: 1 } } },
    SecretResponse: { fields: { data: { type: 'bytes', id: 1 } } },
    HealthRequest: { fields: {} },
    HealthResponse: { fields: { status: { type: 'int32', id: 1 } } },
  },
});
const SERVING = 1;

/**
 * A session of BuildKit: the builder asks back over this connection for each secret that a step mounts, so that none is in the
 * build's query, its context, its cache or the image. Rejects as an EngineError.
 */
export async function openBuildSession(
  docker: Docker,
  { secrets, signal }: { secrets: readonly NamedSecret[]; signal: AbortSignal },
): Promise<BuildSession> {
  const id = randomUUID();
  const server = new Server();
  server.addService(service, answersOf(secrets));
  const socket = await dial(docker, { id, signal });
  // The builder hangs up when it is done; what goes wrong on the way fails the build, in its own words.
  socket.on('error', () => undefined);
  server.createConnectionInjector(ServerCredentials.createInsecure()).injectConnection(socket);
  return {
    id,
    close() {
      server.forceShutdown();
      socket.destroy();
    },
  };
}

function dial(docker: Docker, { id, signal }: { id: string; signal: AbortSignal }): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    docker.modem.dial(
      {
        path: '/session',
        method: 'POST',
        hijack: true,
        headers: {
          Upgrade: 'h2c',
          'X-Docker-Expose-Session-Uuid': id,
          'X-Docker-Expose-Session-Name': 'berth',
          'X-Docker-Expose-Session-Grpc-Method': Object.values(PATHS),
        },
        statusCodes: { 200: true, 400: 'bad request', 403: 'forbidden', 404: 'not found', 500: 'server error' },
        abortSignal: signal,
      } as unknown as Parameters<typeof docker.modem.dial>[0],
      (error: unknown, socket: unknown) => {
        if (error) reject(toEngineError(error));
        else resolve(socket as Duplex);
      },
    );
  });
}

const service: ServiceDefinition = {
  getSecret: method(PATHS.getSecret, 'SecretRequest', 'SecretResponse'),
  check: method(PATHS.check, 'HealthRequest', 'HealthResponse'),
};

function method(path: string, request: string, response: string): ServiceDefinition[string] {
  const [asked, answer] = [root.lookupType(request), root.lookupType(response)];
  return {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: (value: object) => Buffer.from(asked.encode(value).finish()),
    requestDeserialize: (bytes: Buffer) => asked.decode(bytes),
    responseSerialize: (value: object) => Buffer.from(answer.encode(value).finish()),
    responseDeserialize: (bytes: Buffer) => answer.decode(bytes),
  };
}

function answersOf(secrets: readonly NamedSecret[]): UntypedServiceImplementation {
  const values = new Map(secrets.map(({ name, value }) => [name, Buffer.from(value)]));
  return {
    getSecret({ request }: { request: { ID: string } }, answer: Answer) {
      const data = values.get(request.ID);
      if (data) answer(null, { data });
      else answer({ code: status.NOT_FOUND, details: `secret ${request.ID} not found` });
    },
    check(_call: unknown, answer: Answer) {
      answer(null, { status: SERVING });
    },
  };
}

type Answer = (error: { code: status; details: string } | null, value?: object) => void;

/** Shorter ones would be found in what has nothing to do with them. */
const LEAST_HIDDEN = 4;

/** Takes the secrets out of what a build prints, line by line. A step that turns one into other words is not seen. */
export function hideSecrets(secrets: readonly NamedSecret[]): (text: string) => string {
  const lines = secrets
    .flatMap(({ value }) => value.split(/\r?\n/))
    .filter((line) => line.trim().length >= LEAST_HIDDEN);
  const known = [...new Set(lines.map((line) => line.trim()))].sort((a, b) => b.length - a.length);
  return (text) => known.reduce((shown, line) => shown.replaceAll(line, '***'), text);
}
