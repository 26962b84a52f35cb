import { EventEmitter } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import next from 'next';
import { closeDataFolder, openDataFolder } from '@/db/data-folder';
import { handleHostTerminalUpgrade, isHostTerminalPath } from '@/lib/hosts/terminals/upgrade';
import { handleTerminalUpgrade, isTerminalPath } from '@/lib/workspaces/terminals/upgrade';
import { handleAgentUpgrade } from '@/lib/hosts/link/upgrade';
import { appHostOf, serveApp, serveAppUpgrade } from '@/lib/apps/door';
import { apiKernel } from '@/lib/api/kernel';
import { isSetupNeeded } from '@/lib/accounts/sign-in/finish-setup';
import { setupCode } from '@/lib/accounts/sign-in/setup-code';
import { readListFor } from '@/lib/api/read-list-for';
import { startServices } from '@/lib/api/services';
import { env } from '@/lib/env';
import { markLocal } from '@/lib/http/local';
import { serveNode } from '@/lib/http/node-door';
import { takeApiLane } from '@/lib/http/api-lane';
import { log } from '@/lib/log';
import { limitBody } from './server/body-time';
import { answerClientError, isPlainTarget, refuseTarget } from './server/client-errors';
import { startEmbeddedAgent } from './server/embedded-agent';
import { applyBuiltConfig } from './server/next-config';

const SHUTDOWN_LIMIT_MS = 10_000;

function isApi(url: string): boolean {
  return url.startsWith('/api/') || url === '/api' || url.startsWith('/api?');
}

async function main(): Promise<void> {
  const { host, port, isProduction } = env();
  openDataFolder();
  // Next would end WebSockets whose path matches a page if it held the real server: it gets an emitter of its own.
  const nextUpgrades = new EventEmitter();
  if (isProduction) applyBuiltConfig();
  if (isProduction) takeApiLane(readListFor);
  const app = next({ dev: !isProduction, hostname: host, port, httpServer: nextUpgrades as http.Server });
  const ready = app.prepare().then(() => app.getRequestHandler());
  const kernel = apiKernel();

  const serve = (request: IncomingMessage, response: ServerResponse, mayWait = false): void => {
    const app = appHostOf(request);
    if (app) return serveApp(request, response, app);
    if (mayWait) response.writeContinue();
    limitBody(request);
    if (!isPlainTarget(request.url)) return refuseTarget(response);
    markLocal(request);
    // In development /api goes through Next, so that edits take effect.
    if (isProduction && isApi(request.url)) return void serveNode(kernel, request, response);
    ready
      .then((handle) => handle(request, response))
      .catch((error: unknown) => {
        log.error({ err: error }, 'page failed');
        response.destroy();
      });
  };
  const server = http.createServer(serve);
  // A workspace asks for the body itself.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => serve(request, response, true));
  // What is sent to a workspace may take its time; for the console itself `limitBody` counts.
  server.requestTimeout = 0;
  server.headersTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  server.on('clientError', answerClientError);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const host = appHostOf(request);
    if (host) serveAppUpgrade(request, socket, { head, host });
    else if (path === '/api/agent/link') handleAgentUpgrade(request, socket, head);
    else if (isTerminalPath(path)) handleTerminalUpgrade(request, socket, head);
    else if (isHostTerminalPath(path)) handleHostTerminalUpgrade(request, socket, head);
    else if (!isProduction && path.startsWith('/_next/')) nextUpgrades.emit('upgrade', request, socket, head);
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  await ready;
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  const services = await startServices();
  const agent = await startEmbeddedAgent(boundPort);
  log.info(`Berth is ready at ${env().publicUrl}`);
  // Not by the log, which may be silent: without it nobody gets in over the network.
  if (isSetupNeeded()) console.log(`set-up code: ${setupCode()}`);
  stopOnSignals(server, async () => {
    await agent?.stop();
    services.stop();
  });
}

function stopOnSignals(server: http.Server, stopWork: () => Promise<void>): void {
  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) return;
    isStopping = true;
    log.info(`${signal}: stopping`);
    const end = (code: number): never => {
      server.closeAllConnections();
      closeDataFolder();
      process.exit(code);
    };
    setTimeout(() => end(1), SHUTDOWN_LIMIT_MS).unref();
    server.close();
    void stopWork().finally(() => end(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
