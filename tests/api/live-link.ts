import http from 'node:http';
import type { AddressInfo } from 'node:net';
import WebSocket from 'ws';
import { handleAgentUpgrade } from '@/lib/hosts/link/upgrade';
import { createMux, type Mux } from '@/lib/protocol/mux';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import type { OpenStream } from '@/lib/protocol/streams';
import type { ScriptedAgent } from './scripted-agent';

/** A server that takes agents' live links, on a port of its own. */
export async function startLinkServer(): Promise<{ port: number; close(): Promise<void> }> {
  const server = http.createServer();
  server.on('upgrade', handleAgentUpgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export interface AgentLink {
  socket: WebSocket;
  mux: Mux;
  /** Revisions of the wakes so far. */
  wakes: number[];
  opened: { stream: MuxStream; open: OpenStream }[];
  closed: Promise<number>;
}

interface LinkOptions {
  authorization?: string;
  /** Does what an agent does with a stream. Left out, nothing. */
  answer?: (stream: MuxStream, open: OpenStream) => void;
}

/** The agent's end of a live link; rejects with the HTTP status when the console refuses it. */
export function connectLink(
  agent: ScriptedAgent,
  port: number,
  { authorization, answer }: LinkOptions = {},
): Promise<AgentLink> {
  const path = '/api/agent/link';
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}?instance=${agent.instance}`, {
    headers: { authorization: authorization ?? agent.proof('GET', path, '') },
  });
  const link: AgentLink = {
    socket,
    wakes: [],
    opened: [],
    mux: createMux({
      socket,
      onOpen: (stream, open) => {
        link.opened.push({ stream, open });
        answer?.(stream, open);
      },
      onWake: (revision) => link.wakes.push(revision),
    }),
    closed: new Promise((resolve) => socket.on('close', resolve)),
  };
  socket.on('message', (data) => link.mux.receive(data as Buffer));
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(link));
    socket.on('unexpected-response', (_, response) => reject(new Error(String(response.statusCode))));
    socket.on('error', reject);
  });
}
