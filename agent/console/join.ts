import { AGENT_REFUSALS } from '../../lib/protocol/calls';
import { Backoff } from '../backoff';
import type { AgentClock } from '../clock';
import { type ConsoleClient, ConsoleRefusalError } from './console-client';
import { toMessage } from '../engines/engine-error';
import type { Engine } from '../engines/engine';
import type { Identity } from './identity';
import type { Inventory } from '../inventory';
import { JoinTokens, type JoinTokenSource } from './join-token';
import type { AgentLog } from '../log';
import { waitFor } from '../wait';

export interface JoinContext extends JoinTokenSource {
  client: ConsoleClient;
  identity: Identity;
  engine: Engine;
  inventory: Inventory;
  hostName: string;
  clock: AgentClock;
  log: AgentLog;
  signal: AbortSignal;
}

const RETRY = { firstMs: 500, longestMs: 15_000 };

/**
 * Makes sure that the host has an id, joining where it has none. Waits for a console that is away, and for another token
 * in the file when one is refused. Throws when there is no token, and when the console refuses it for good.
 */
export async function ensureJoined(context: JoinContext): Promise<string> {
  const { identity, clock, log, signal } = context;
  if (identity.hostId) return identity.hostId;
  const tokens = new JoinTokens(context);
  const backoff = new Backoff({ ...RETRY, random: () => clock.random() });
  for (;;) {
    signal.throwIfAborted();
    const token = await tokens.next();
    try {
      const hostId = await join(context, token);
      await identity.setHostId(hostId);
      log.info({ hostId }, 'This host has joined the console');
      return hostId;
    } catch (error) {
      if (!(error instanceof ConsoleRefusalError)) log.debug({ error: toMessage(error) }, 'The console is away');
      else if (error.code === AGENT_REFUSALS.badToken && tokens.isRenewable) tokens.refuse(token, describe(error));
      else throw new Error(describe(error), { cause: error });
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

function describe({ code, message }: ConsoleRefusalError): string {
  if (code === AGENT_REFUSALS.badToken)
    return `The join token was refused: ${message}. Make a new one on the Hosts page.`;
  if (code === AGENT_REFUSALS.nameTaken)
    return `The host's name was refused: ${message}. Choose another name, or replace the key there.`;
  return `Joining was refused: ${message}`;
}
