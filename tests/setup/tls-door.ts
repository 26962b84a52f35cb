import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';

export interface DoorAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface Sent {
  headers?: OutgoingHttpHeaders;
  body?: string;
}

const PATIENCE_MS = 10_000;

/** A port of this machine where a proxy tells names apart, whatever its certificates are. */
export class TlsDoor {
  constructor(private readonly port: number) {}

  get(name: string, path: string, headers: OutgoingHttpHeaders = {}): Promise<DoorAnswer> {
    return this.send(name, path, { headers });
  }

  send(name: string, path: string, { headers = {}, body }: Sent): Promise<DoorAnswer> {
    return new Promise((resolve, reject) => {
      const request = this.open(name, path, { headers, body });
      request.on('error', reject).on('response', (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk))).on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      request.end(body);
    });
  }

  /** What comes first of a stream of events, which is ended then. */
  firstEvent(name: string, path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const request = this.open(name, path, { headers: { accept: 'text/event-stream' } });
      request.on('error', reject).on('response', (response) => {
        response
          .on('error', () => undefined)
          .once('data', (chunk) => {
            resolve(String(chunk));
            request.destroy();
          });
      });
      request.end();
    });
  }

  /** The status that an upgrade to a WebSocket is answered with. */
  upgrade(name: string, path: string): Promise<number> {
    const headers = {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
    };
    return new Promise((resolve, reject) => {
      const request = this.open(name, path, { headers });
      request.on('error', reject).on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response.statusCode ?? 0);
      });
      request.end();
    });
  }

  private open(name: string, path: string, { headers, body }: Sent) {
    const method = body === undefined ? 'GET' : 'POST';
    const at = { host: '127.0.0.1', port: this.port, servername: name, agent: false, rejectUnauthorized: false };
    const request = https.request({ ...at, path, method, headers: { host: name, ...headers } });
    request.setTimeout(PATIENCE_MS, () => request.destroy(new Error('no answer')));
    return request;
  }
}
