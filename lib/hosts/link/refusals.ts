import { AppError, type ErrorCode } from '@/lib/errors';
import { AGENT_REFUSALS } from '@/lib/protocol/calls';
import { PROTOCOL_VERSION, PROTOCOL_VERSION_MIN } from '@/lib/protocol/version';

type Refusal = keyof typeof AGENT_REFUSALS;

const codeOf: Record<Refusal, ErrorCode> = {
  unknownHost: 'unauthenticated',
  badProof: 'unauthenticated',
  clockSkew: 'unauthenticated',
  replayed: 'unauthenticated',
  duplicateInstance: 'conflict',
  protocol: 'forbidden',
  nameTaken: 'conflict',
  badToken: 'forbidden',
};

/** A refusal that an agent acts on, under `data.agent`. */
export function refusal(kind: Refusal, message: string): AppError {
  return new AppError(codeOf[kind], message, { fields: { agent: { code: AGENT_REFUSALS[kind], message } } });
}

/** Throws the `protocol` refusal, saying which side to upgrade, when the two have no version in common. */
export function requireProtocol(versions: { agent: string; protocol: number; protocolMin: number }): void {
  const speaks = `The agent ${versions.agent} speaks protocol ${versions.protocolMin} to ${versions.protocol}`;
  if (versions.protocol < PROTOCOL_VERSION_MIN) {
    throw refusal('protocol', `${speaks}, this console ${PROTOCOL_VERSION_MIN} or later. Upgrade the agent.`);
  }
  if (versions.protocolMin > PROTOCOL_VERSION) {
    throw refusal('protocol', `${speaks}, this console up to ${PROTOCOL_VERSION}. Upgrade the console.`);
  }
}
