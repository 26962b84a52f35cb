import http from 'node:http';
import net from 'node:net';

/** A small CONNECT proxy that notes what it tunnels. */
export interface ConnectProxy {
  readonly url: string;
  /** `host:port` of each tunnel, in order. */
  readonly tunnels: string[];
  /** What clients sent through, as text. */
  sent(): string;
  close(): Promise<void>;
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const tunnels: string[] = [];
  const sockets = new Set<net.Socket>();
  let sent = '';
  const server = http.createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, client: net.Socket, head) => {
    tunnels.push(request.url ?? '');
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = net.connect(Number(port || 80), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      client.on('data', (chunk) => (sent += chunk.toString('latin1')));
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    tunnels,
    sent: () => sent,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
