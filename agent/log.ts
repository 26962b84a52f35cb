/** Where the agent writes. The console hands its own logger to an embedded agent. */
export interface AgentLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LEVELS)[number] | 'silent';

/** JSON lines, as in `{"level":"info","time":…,"msg":"…"}`. */
export function createJsonLog(level: LogLevel, write: (line: string) => void): AgentLog {
  const lowest = level === 'silent' ? LEVELS.length : LEVELS.indexOf(level);
  const writer = (name: (typeof LEVELS)[number]) => (fields: object, message: string) => {
    if (LEVELS.indexOf(name) < lowest) return;
    write(`${JSON.stringify({ level: name, time: Date.now(), ...fields, msg: message })}\n`);
  };
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') };
}
