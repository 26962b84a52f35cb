/** Version of the words between console and agent. A change of any message is a step. */
export const PROTOCOL_VERSION = 1;
/** The oldest version that this side still understands. */
export const PROTOCOL_VERSION_MIN = 1;
