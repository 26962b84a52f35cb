import fs from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { buildImage, reaches, request } from './journey';
import { ensureNodeBase, NODE_BASE_IMAGE } from './node-base';

/** A workspace that runs `lab-app.mjs` on port 8888. */
export async function startLab(
  pb: PocketBase,
  hostId: string,
  fields: Record<string, unknown> = {},
): Promise<RecordModel> {
  const [known] = await pb.collection('images').getFullList({ filter: 'name = "lab"' });
  const image = known ?? (await buildLab(pb, hostId));
  const { id } = await pb
    .collection('workspaces')
    .create({ name: 'lab', host: hostId, image: image.id, enabled: true, ...fields });
  await request(pb, 'workspace', id, 'start');
  return reaches(pb, { collection: 'workspaces', id, status: 'running', limitMs: 60_000 });
}

async function buildLab(pb: PocketBase, hostId: string): Promise<RecordModel> {
  await ensureNodeBase();
  const app = fs.readFileSync(path.join(import.meta.dirname, 'lab-app.mjs')).toString('base64');
  const lines = [
    `FROM ${NODE_BASE_IMAGE}`,
    `RUN echo ${app} | base64 -d > /lab.mjs`,
    'STOPSIGNAL SIGKILL',
    `CMD ["${process.execPath}", "/lab.mjs"]`,
  ];
  return buildImage(pb, hostId, { name: 'lab', dockerfile: `${lines.join('\n')}\n` });
}

export interface LabAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  trailers: NodeJS.Dict<string>;
  text: string;
}

/** One browser at the addresses of workspaces, with a jar for each host. */
export class LabVisitor {
  private readonly jars = new Map<string, Map<string, string>>();

  constructor(private readonly berthPort: number) {}

  jar(host: string): Map<string, string> {
    const jar = this.jars.get(host) ?? new Map<string, string>();
    this.jars.set(host, jar);
    return jar;
  }

  cookie(host: string): string {
    return [...this.jar(host)].map((pair) => pair.join('=')).join('; ');
  }

  /** One request to `http://host:port/path`; `page` as a browser opens a page. */
  open(
    host: string,
    target = '/',
    {
      method = 'GET',
      headers = {},
      body,
      page = true,
    }: { method?: string; headers?: http.OutgoingHttpHeaders; body?: string | Buffer; page?: boolean } = {},
  ): Promise<LabAnswer> {
    const cookie = this.cookie(host);
    const sent: http.OutgoingHttpHeaders = {
      host: `${host}:${this.berthPort}`,
      ...(page && { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }),
      ...(cookie && { cookie }),
      ...headers,
    };
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port: this.berthPort, path: target, method, headers: sent, agent: false },
        (answer) => {
          let text = '';
          answer.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            for (const line of answer.headers['set-cookie'] ?? []) this.keep(host, line);
            const { statusCode = 0, headers: got, rawHeaders, trailers } = answer;
            resolve({ status: statusCode, headers: got, rawHeaders, trailers, text });
          });
        },
      );
      request.once('error', reject).end(body);
    });
  }

  /** The whole way of a log-in for the person of the client; returns the last answer. */
  async logIn(pb: PocketBase, host: string, target = '/'): Promise<LabAnswer> {
    const begun = await this.open(host, target);
    const { searchParams } = new URL(begun.headers.location ?? '');
    const { address } = await pb.send<{ address: string }>('/api/verify', {
      method: 'POST',
      body: {
        authToken: pb.authStore.token,
        state: searchParams.get('state'),
        csrf_token: searchParams.get('csrf_token'),
      },
    });
    const back = new URL(address);
    const given = await this.open(host, `${back.pathname}${back.search}`);
    const last = new URL(given.headers.location ?? '');
    return this.open(host, `${last.pathname}${last.search}`);
  }

  private keep(host: string, line: string): void {
    const [name = '', value = ''] = line.split(';')[0]!.split('=');
    if (line.includes('Max-Age=0')) this.jar(host).delete(name);
    else this.jar(host).set(name, value);
  }
}

/** Sends bytes as they are and resolves with all that comes back until the end, or until `until` is in it. */
export function sendRaw(port: number, bytes: string | Buffer, until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    const done = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(5000, done);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (until && text.includes(until)) done();
    });
    socket.once('end', done).once('error', reject);
  });
}
