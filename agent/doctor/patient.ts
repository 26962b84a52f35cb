import type { Agent as HttpAgent } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ConsoleClient } from '../console/console-client';
import type { Engine } from '../engines/engine';
import type { ProxySettings } from '../outbound-proxy';

/** The agent that is looked at: its settings, and the parts that it works with. */
export interface Patient {
  /** Without a trailing slash. */
  consoleUrl: string;
  proxy: ProxySettings;
  dispatcher: Dispatcher;
  linkAgent: HttpAgent | undefined;
  /** Undefined until the host has joined. */
  client: ConsoleClient | undefined;
  engine: Engine;
  /** As in DOCKER_HOST; empty for the usual socket. */
  dockerHost: string;
  stateDir: string;
  bindRoots: string[];
}
