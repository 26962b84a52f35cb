// The comparison for forward authentication: a plain node:http server that lets everything pass.
import http from 'node:http';

http
  .createServer((request, response) =>
    response.writeHead(200, { 'x-forwarded-user': 'bench', 'content-length': 0 }).end(),
  )
  .listen(Number(process.env.BENCH_PORT), '127.0.0.1', () => process.send?.('ready'));
