import { setFlagsFromString } from 'node:v8';
import { type RunningAgent, startAgent } from './agent';
import { parseAgentEnv } from './config';
import { toMessage } from './engines/engine-error';
import { createJsonLog } from './log';

/**
 * V8 would give a stream of short-lived lines ever more room for its garbage, some 20 MB after a large log. The agent has
 * nothing to gain from that.
 */
setFlagsFromString('--semi-space-growth-factor=1');

/** The agent as a process of its own: settings from the environment, log to standard output. */
async function main(): Promise<void> {
  const { logLevel, ...settings } = parseAgentEnv(process.env);
  const log = createJsonLog(logLevel, (line) => process.stdout.write(line));
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  let agent: RunningAgent;
  try {
    agent = await startAgent({ ...settings, log, signal: leaving.signal });
  } catch (error) {
    // Asked to leave while it still waited for the console.
    if (leaving.signal.aborted) return;
    throw error;
  }
  if (!leaving.signal.aborted) {
    await new Promise((resolve) => leaving.signal.addEventListener('abort', resolve, { once: true }));
  }
  log.info({}, 'The agent stops; containers stay as they are');
  await agent.stop();
}

/** `agent.mjs doctor`: what is wrong between this machine and its console. */
async function doctor(): Promise<void> {
  const { runDoctor } = await import('./doctor/main');
  process.exitCode = await runDoctor(process.env, flags.includes('--json'));
}

const [command = '', ...flags] = process.argv.slice(2);

function start(): Promise<void> {
  if (command === 'doctor') return doctor();
  if (command === '') return main();
  return Promise.reject(
    new Error(`There is no command "${command}": without one the agent runs, "doctor" looks what is wrong.`),
  );
}

start().catch((error: unknown) => {
  process.stderr.write(`${toMessage(error)}\n`);
  process.exitCode = 1;
});
