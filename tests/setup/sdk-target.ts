import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventSource } from 'eventsource';
import Database from 'better-sqlite3';
import path from 'node:path';
import PocketBase, { type RecordModel } from 'pocketbase';
import { closeDb, getDb } from '@/db/database';
import { issueToken, type TokenPurpose } from '@/lib/auth/tokens';
import { nowMs, setClock } from '@/lib/clock';
import { users } from '@/lib/accounts/collection';
import { env } from '@/lib/env';
import { serveNode } from '@/lib/http/node-door';
import { realtimeHub } from '@/lib/realtime/hub';
import { requestLogs } from '@/lib/stores/request-logs';
import { ScriptedAgent, type Caller } from '../api/scripted-agent';
import { kernel } from './call';
import { startConsole } from './console-process';

/** A running console that a suite of the published client speaks to over the network alone. */
export interface SdkTarget {
  readonly url: string;
  /** For what no call shows: mails and token keys. */
  readonly dataDir: string;
  close(): Promise<void>;
}

// The published client needs the browser's EventSource for realtime.
globalThis.EventSource ??= EventSource as unknown as typeof globalThis.EventSource;

/** The routes of this process behind a real socket. */
export async function openOwnProcess(): Promise<SdkTarget> {
  getDb().sqlite.pragma('synchronous = OFF');
  const server = http.createServer((request, response) => void serveNode(kernel, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dataDir: env().dataDir,
    async close() {
      realtimeHub().closeAll();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      requestLogs().flush();
      closeDb();
    },
  };
}

/** The built console as a process. It has this process's secret, so that a test can sign tokens as it does. */
export async function openBuiltConsole(): Promise<SdkTarget> {
  const secret = process.env.BERTH_SECRET!;
  const built = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', BERTH_SECRET: secret, LOG_LEVEL: 'error' } });
  return { url: built.url, dataDir: built.dataDir, close: () => built.dispose() };
}

/** A client without a token whose requests don't cancel each other. */
export function clientOf({ url }: SdkTarget): PocketBase {
  const pb = new PocketBase(url);
  pb.autoCancellation(false);
  return pb;
}

/** A token as the target would have signed it for the account; `agoSeconds` dates it back. */
export function signToken(
  { dataDir }: SdkTarget,
  id: string,
  { purpose = 'auth', agoSeconds = 0 }: { purpose?: TokenPurpose; agoSeconds?: number } = {},
): string {
  const db = new Database(path.join(dataDir, 'berth.db'), { readonly: true });
  const tokenKey = db.prepare('SELECT token_key FROM users WHERE id = ?').pluck().get(id) as string;
  db.close();
  const now = nowMs();
  const restore = setClock(() => now - agoSeconds * 1000);
  try {
    return issueToken({ id, tokenKey }, purpose, users.id);
  } finally {
    restore();
  }
}

/** Has a host join over the network, as its agent would, and answers its record. */
export async function joinHost({ url }: SdkTarget, admin: PocketBase, name: string): Promise<RecordModel> {
  const { token } = await admin.send<{ token: string }>('/api/hosts/join-token', { method: 'POST', body: { name } });
  const agent = new ScriptedAgent(callerOf(url));
  await agent.join(name, token);
  await agent.heartbeat();
  return admin.collection('hosts').getOne(agent.hostId);
}

function callerOf(url: string): Caller {
  return async ({ method, url: path, headers, body }) => {
    const sent = method === 'GET' ? undefined : String(body);
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: sent,
    });
    return { status: response.status, json: await response.json().catch(() => undefined) };
  };
}
