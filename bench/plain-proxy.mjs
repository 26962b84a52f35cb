// The comparison for ports through the console: a plain node:http proxy that leads to the same place.
import http from 'node:http';

const agent = new http.Agent({ keepAlive: true });
http
  .createServer((request, response) => {
    const { method, url: path, headers } = request;
    const options = { agent, host: process.env.BENCH_HOST, port: 8888, method, path, headers };
    const upstream = http.request(options, (answer) => {
      response.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(response);
    });
    request.pipe(upstream);
  })
  .listen(Number(process.env.BENCH_PORT), '127.0.0.1', () => process.send?.('ready'));
