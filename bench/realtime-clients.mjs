// Many event stream clients in one process, on bare sockets: they subscribe to what changes and time what reaches them.
import http from 'node:http';
import net from 'node:net';

const { BENCH_PORT, BENCH_TOKEN, BENCH_TOPIC } = process.env;
const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
const SENT_AT = /"description":"(\d+)"/g;
let latenciesMs = [];
let received = 0;
let closed = 0;

function open() {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(BENCH_PORT), '127.0.0.1');
    socket.setEncoding('latin1');
    let head = '';
    socket.write('GET /api/realtime HTTP/1.1\r\nHost: bench\r\n\r\n');
    socket.on('error', reject);
    socket.on('close', () => (closed += 1));
    socket.on('data', (text) => {
      if (head !== undefined) {
        head += text;
        const id = /^id:(\w{40})/m.exec(head)?.[1];
        if (!id) return;
        head = undefined;
        resolve(id);
        return;
      }
      for (const [, sentAt] of text.matchAll(SENT_AT)) {
        received += 1;
        latenciesMs.push(Number(process.hrtime.bigint() - BigInt(sentAt)) / 1e6);
      }
    });
  });
}

function subscribe(clientId) {
  const body = JSON.stringify({ clientId, subscriptions: BENCH_TOPIC === '' ? [] : [BENCH_TOPIC] });
  const headers = { 'content-type': 'application/json', authorization: BENCH_TOKEN, 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const request = http.request(
      { port: BENCH_PORT, method: 'POST', path: '/api/realtime', agent, headers },
      (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 204 ? resolve() : reject(new Error(`subscribe answered ${response.statusCode}`)),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function openMany(count) {
  for (let at = 0; at < count; at += 50) {
    const ids = await Promise.all(Array.from({ length: Math.min(50, count - at) }, open));
    await Promise.all(ids.map(subscribe));
  }
}

process.on('message', async ({ call, count }) => {
  if (call === 'open') await openMany(count);
  process.send({ received, closed, latenciesMs: call === 'take' ? latenciesMs : [] });
  if (call === 'take') [latenciesMs, received] = [[], 0];
});
process.once('disconnect', () => process.exit(0));
