// What runs in the workspaces of these tests: a small app with all that a notebook server does. Run with plain Node.
import { createHash } from 'node:crypto';
import http from 'node:http';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const page = `<!doctype html><title>lab</title><h1>The lab</h1><p id="ws">…</p><p id="sse">…</p>
<input type="file" aria-label="upload"><p id="up">…</p><script>
const say = (id, text) => (document.getElementById(id).textContent = text);
const ws = new WebSocket(location.origin.replace('http', 'ws') + '/echo');
ws.onopen = () => ws.send('hello'); ws.onmessage = (e) => say('ws', 'echo ' + e.data); ws.onclose = () => say('ws', 'closed');
new EventSource('/events').onmessage = (e) => say('sse', 'event ' + e.data);
document.querySelector('input').onchange = async (e) =>
  say('up', 'took ' + (await (await fetch('/count', { method: 'POST', body: e.target.files[0] })).text()));
</script>`;

const routes = {
  '/': (request, response) => response.setHeader('content-type', 'text/html').end(page),
  '/told': (request, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ url: request.url, raw: request.rawHeaders, name: process.env.NAME })),
  '/count': async (request, response) => {
    let size = 0;
    const hash = createHash('sha256');
    for await (const chunk of request) {
      size += chunk.length;
      hash.update(chunk);
    }
    response.setHeader('x-trailers', JSON.stringify(request.trailers)).end(`${size} ${hash.digest('hex')}`);
  },
  '/events': (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let count = 0;
    const timer = setInterval(() => response.write(`data: ${(count += 1)}\n\n`), 100);
    response.on('close', () => clearInterval(timer));
  },
  '/bytes': (request, response, query) => {
    let left = Number(query.get('size'));
    const block = Buffer.alloc(64 * 1024, 'x');
    const more = () => {
      while (left > 0) {
        const part = left < block.length ? block.subarray(0, left) : block;
        left -= part.length;
        sent += part.length;
        if (!response.write(part)) return response.once('drain', more);
      }
      response.end();
    };
    sent = 0;
    more();
  },
  '/sent': (request, response) => response.end(String(sent)),
  '/refuse': (request, response) => response.writeHead(413).end('too much'),
  '/cookies': (request, response) => {
    response.setHeader('set-cookie', [
      'mine=1; Path=/',
      'wide=1; Domain=localhost; Path=/',
      'berth-auth=stolen; Path=/',
      'berth_session=x; domain=.localhost',
    ]);
    response.setHeader('clear-site-data', '"cookies"').setHeader('alt-svc', 'h3=":1"').end('ok');
  },
  '/trailers': (request, response) => {
    response.writeHead(200, { trailer: 'x-sum' });
    response.write('body');
    response.addTrailers({ 'x-sum': '42' });
    response.end();
  },
  '/hints': (request, response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    response.end('after hints');
  },
  '/hang': () => undefined,
  '/slow': (request, response) => setTimeout(() => response.end('late'), 500),
  '/gone': (request, response) => response.end(String(gone)),
  '/worker.js': (request, response) =>
    response.setHeader('content-type', 'text/javascript').end('onfetch = () => undefined;'),
  '/many': (request, response) => {
    for (let index = 0; index < 100_000; index += 1) response.setHeader(`x-${index}`, '1');
    response.end();
  },
  '/raw': (request, response, query) => {
    const bytes = Buffer.from(query.get('bytes'), 'base64');
    request.socket.write(bytes);
    if (query.has('close')) request.socket.end();
  },
};
let sent = 0;
let gone = 0;

const server = http.createServer({ requestTimeout: 0 }, (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://lab');
  response.on('close', () => (gone += response.writableFinished ? 0 : 1));
  const route = routes[pathname];
  if (route) return void Promise.resolve(route(request, response, searchParams)).catch(() => response.destroy());
  response.writeHead(404).end('no such page of the lab');
});
server.on('upgrade', (request, socket) => {
  socket.on('error', () => socket.destroy());
  if (request.url !== '/echo') return socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\nx-why: no\r\n\r\nno');
  const accept = createHash('sha1')
    .update(request.headers['sec-websocket-key'] + GUID)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\nset-cookie: berth-auth=evil\r\n\r\n`,
  );
  let held = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    held = Buffer.concat([held, chunk]);
    // Masked frames of fewer than 126 bytes, which is all that these tests send.
    while (held.length >= 6 && held.length >= 6 + (held[1] & 127)) {
      const size = held[1] & 127;
      const text = Buffer.from(held.subarray(6, 6 + size).map((byte, at) => byte ^ held[2 + (at % 4)]));
      socket.write(Buffer.concat([Buffer.from([held[0], size]), text]));
      if ((held[0] & 15) === 8) socket.end();
      held = held.subarray(6 + size);
    }
  });
});
server.listen(Number(process.env.PORT ?? 8888), process.env.BIND ?? '0.0.0.0');
