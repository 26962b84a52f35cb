/** Version of the words between console and agent. A change of any message is a step; the version before stays accepted. */
export const PROTOCOL_VERSION = 8;
/** The oldest version that this side still understands. */
export const PROTOCOL_VERSION_MIN = 1;

/** The versions that one side understands. */
export interface Spoken {
  protocol: number;
  protocolMin: number;
}

export const spokenHere: Spoken = { protocol: PROTOCOL_VERSION, protocolMin: PROTOCOL_VERSION_MIN };

/** Why an agent and a console can't talk, with which of them to upgrade; empty when they can. */
export function describeMisfit(agent: Spoken, console: Spoken): string {
  const words = `The agent speaks protocol ${range(agent)}, the console ${range(console)}.`;
  if (agent.protocol < console.protocolMin) return `${words} Upgrade the agent.`;
  return agent.protocolMin > console.protocol ? `${words} Upgrade the console.` : '';
}

function range({ protocol, protocolMin }: Spoken): string {
  return protocol === protocolMin ? String(protocol) : `${protocolMin} to ${protocol}`;
}
