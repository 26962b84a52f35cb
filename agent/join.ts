import { AGENT_REFUSALS } from '../lib/protocol/calls';
import { Backoff } from './backoff';
import type { AgentClock } from './clock';
import { type ConsoleClient, ConsoleRefusalError } from './console-client';
import { toMessage } from './engines/engine-error';
import type { Engine } from './engines/engine';
import type { Identity } from './identity';
import type { Inventory } from './inventory';
import type { AgentLog } from './log';
import { waitFor } from './wait';

export interface JoinContext {
  client: ConsoleClient;
  identity: Identity;
  engine: Engine;
  inventory: Inventory;
  hostName: string;
  joinToken: string | undefined;
  clock: AgentClock;
  log: AgentLog;
  signal: AbortSignal;
}

const RETRY = { firstMs: 500, longestMs: 15_000 };

/**
 * Makes sure that the host has an id, joining where it has none. Waits for a console that is away.
 * Throws when there is no token, and when the console refuses it.
 */
export async function ensureJoined(context: JoinContext): Promise<string> {
  const { identity, joinToken, clock, log, signal } = context;
  if (identity.hostId) return identity.hostId;
  if (!joinToken) throw new Error('This host has not joined a console yet: set BERTH_JOIN_TOKEN for the first start');
  const backoff = new Backoff({ ...RETRY, random: () => clock.random() });
  for (;;) {
    signal.throwIfAborted();
    try {
      const hostId = await join(context, joinToken);
      await identity.setHostId(hostId);
      log.info({ hostId }, 'This host has joined the console');
      return hostId;
    } catch (error) {
      if (error instanceof ConsoleRefusalError) throw new Error(describeJoinRefusal(error), { cause: error });
      log.debug({ error: toMessage(error) }, 'The console is away');
    }
    await waitFor(100 + backoff.next(), signal);
  }
}

async function join(
  { client, identity, engine, inventory, hostName, signal }: JoinContext,
  token: string,
): Promise<string> {
  const { versions } = await inventory.read();
  const answer = await client.join(
    {
      token,
      publicKey: identity.publicKey,
      name: hostName,
      environment: engine.kind === 'kubernetes' ? 'kubernetes' : 'docker',
      engine: engine.kind,
      versions,
    },
    signal,
  );
  return answer.hostId;
}

function describeJoinRefusal({ code, message }: ConsoleRefusalError): string {
  if (code === AGENT_REFUSALS.badToken)
    return `The join token was refused: ${message}. Make a new one on the Hosts page.`;
  if (code === AGENT_REFUSALS.nameTaken)
    return `The host's name was refused: ${message}. Choose another name, or replace the key there.`;
  return `Joining was refused: ${message}`;
}
