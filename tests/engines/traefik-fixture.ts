import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { docker as run } from '../setup/docker';
import { ensureTraefikImage } from '../setup/traefik';

/** A server in a container that answers with its name and the request as it got it, and echoes after an upgrade. */
const TALK = `
while IFS= read -r line; do
  line="\${line%$(printf '\\r')}"; [ -z "$line" ] && break
  req="$req$line
"; case "$line" in [Uu]pgrade:*) up=1;; esac
done
if [ -n "$up" ]; then
  printf 'HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n'; exec /bin/busybox cat
fi
body="name=$NAME
$req"
printf 'HTTP/1.1 200 OK\\r\\nContent-Type: text/plain\\r\\nContent-Length: %s\\r\\nConnection: close\\r\\n\\r\\n%s' "\${#body}" "$body"
`;
export const SERVE = ['/bin/busybox', 'nc', '-ll', '-p', '8080', '-e', '/bin/sh', '-c', TALK];

export interface Answer {
  status: number;
  text: string;
}

/** Somebody's Traefik on the host, as its own compose file would start it. */
export class TestTraefik {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-dynamic-'));
  private port = 0;

  constructor(readonly name: string) {}

  async start(...settings: string[]): Promise<void> {
    const image = await ensureTraefikImage();
    const mounts = ['-v', '/var/run/docker.sock:/var/run/docker.sock:ro', '-v', `${this.folder}:/dynamic:ro`];
    const providers = ['--providers.docker=true', '--providers.file.directory=/dynamic'];
    const quick = '--providers.providersThrottleDuration=100ms';
    const names = ['--name', this.name, '-p', '127.0.0.1::80'];
    await run(
      'run',
      '-d',
      ...names,
      ...mounts,
      image,
      ...providers,
      quick,
      '--entryPoints.web.address=:80',
      ...settings,
    );
    this.port = Number((await run('port', this.name, '80/tcp')).split(':').at(-1));
  }

  async stop(): Promise<void> {
    await run('rm', '-f', '-v', this.name).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  networks(): Promise<string> {
    return run('inspect', '-f', '{{range $k, $v := .NetworkSettings.Networks}}{{$k}} {{end}}', this.name);
  }

  get(host: string, headers: http.OutgoingHttpHeaders = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = http.get({ host: '127.0.0.1', port: this.port, agent: false, headers: { host, ...headers } });
      request.setTimeout(5000, () => request.destroy(new Error('no answer')));
      request.on('error', reject).on('response', (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk))).on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
    });
  }

  /** What comes back of a text that is sent after an upgrade; the status where there was none. */
  echo(host: string, text: string, headers: http.OutgoingHttpHeaders = {}): Promise<string> {
    const asked = { host, connection: 'Upgrade', upgrade: 'websocket', ...headers };
    return new Promise((resolve, reject) => {
      const request = http.get({ host: '127.0.0.1', port: this.port, agent: false, headers: asked });
      request.setTimeout(5000, () => request.destroy(new Error('no answer')));
      request.on('error', reject).on('response', (response) => {
        response.resume();
        resolve(String(response.statusCode));
      });
      request.on('upgrade', (_response, socket) => {
        socket.once('data', (chunk) => {
          resolve(String(chunk));
          socket.destroy();
        });
        socket.on('error', () => undefined);
        socket.write(text);
      });
    });
  }
}

/** A server that lets in whoever has the cookie, as the console does. */
export class TestDoor {
  readonly asked: http.IncomingHttpHeaders[] = [];
  private readonly server = http.createServer((request, response) => {
    this.asked.push(request.headers);
    const mayEnter = request.headers.cookie === 'berth-auth=ada';
    response.writeHead(mayEnter ? 200 : 401, mayEnter ? { 'x-forwarded-user': 'ada' } : {}).end();
  });

  /** Its address, as containers reach it. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '0.0.0.0', resolve));
    const gateway = await run('network', 'inspect', 'bridge', '-f', '{{(index .IPAM.Config 0).Gateway}}');
    return `http://${gateway}:${(this.server.address() as { port: number }).port}/api/forward-auth`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => void this.server.close(() => resolve()));
  }
}
