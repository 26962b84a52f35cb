import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiKernel } from '@/lib/api/kernel';
import { startServices } from '@/lib/api/services';
import { setupCode } from '@/lib/accounts/sign-in/setup-code';
import { env } from '@/lib/env';
import { serveNode } from '@/lib/http/node-door';

/** The console without its pages, as a process: for tests that end it, and for measuring. */
const kernel = apiKernel();
const server = http.createServer((request, response) => void serveNode(kernel, request, response));
await startServices();
// Whoever started it is gone: nobody else would end it.
process.once('disconnect', () => process.exit(0));
server.listen(env().port, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ port, setupCode: setupCode() });
});
