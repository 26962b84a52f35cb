import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import Docker from 'dockerode';
import { toEngineError } from './docker-errors';

export interface DockerAddress {
  /** As in DOCKER_HOST: `unix:///path`, `tcp://host:port` or `https://host:port`; empty for the usual socket. */
  dockerHost: string;
  /** Folder with ca.pem, cert.pem and key.pem, for TLS. */
  certPath?: string | undefined;
}

const USUAL_SOCKET = '/var/run/docker.sock';

export function createDockerClient({ dockerHost, certPath }: DockerAddress): Docker {
  if (dockerHost === '') return new Docker({ socketPath: USUAL_SOCKET });
  if (dockerHost.startsWith('unix://')) return new Docker({ socketPath: dockerHost.slice('unix://'.length) });
  if (dockerHost.startsWith('/')) return new Docker({ socketPath: dockerHost });
  const url = new URL(dockerHost.replace(/^tcp:/, certPath ? 'https:' : 'http:'));
  const isTls = url.protocol === 'https:';
  const port = Number(url.port || (isTls ? 2376 : 2375));
  if (!isTls || !certPath) return new Docker({ protocol: isTls ? 'https' : 'http', host: url.hostname, port });
  const read = (name: string) => readFileSync(path.join(certPath, name));
  return new Docker({
    protocol: 'https',
    host: url.hostname,
    port,
    ca: read('ca.pem'),
    cert: read('cert.pem'),
    key: read('key.pem'),
  });
}

/** Runs one engine call; whatever it throws becomes an EngineError. */
export async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toEngineError(error);
  }
}

export interface StreamRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** Ends with `?`, which is where the query goes. */
  path: string;
  query: Record<string, string | number | boolean>;
  body?: Buffer | NodeJS.ReadableStream;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * A call whose answer is read as it comes. For calls whose dockerode form does something else: its version-2 build opens a
 * session that a plain build doesn't need, and its log without `follow` is read into memory whole.
 */
export function openStream(docker: Docker, request: StreamRequest): Promise<Readable> {
  return new Promise((resolve, reject) => {
    docker.modem.dial(
      {
        path: request.path,
        method: request.method,
        ...(request.body ? { file: request.body } : {}),
        options: { _query: request.query, _body: {} },
        headers: request.headers ?? {},
        isStream: true,
        statusCodes: {
          200: true,
          400: 'bad request',
          403: 'forbidden',
          404: 'not found',
          409: 'conflict',
          500: 'server error',
        },
        ...(request.signal ? { abortSignal: request.signal } : {}),
      },
      (error: unknown, stream: unknown) => {
        if (error) reject(toEngineError(error));
        else resolve(stream as Readable);
      },
    );
  });
}
