import { parse, TomlError } from 'smol-toml';

/** What the console has to know of a Traefik's static configuration. */
export interface TraefikConfig {
  /** Why it can't be read, with line and column; empty when it can. */
  problem: string;
  /** Where it looks for the engine's socket; empty where it asks no engine by a socket. */
  socketPath: string;
  /** Where its API listens in the container. */
  apiPort: number;
  /** TCP entry points by their names in lower case, and where they listen in the container. */
  entryPoints: { name: string; port: number }[];
}

type Table = Record<string, unknown>;

const USUAL_ENDPOINT = 'unix:///var/run/docker.sock';
const USUAL_API_PORT = 8080;

/** Reads a static configuration in TOML. Never throws. */
export function readTraefikConfig(source: string): TraefikConfig {
  try {
    const root = parse(source, { integersAsBigInt: false }) as Table;
    const entryPoints = entryPointsOf(root);
    const apiPort = entryPoints.find(({ name }) => name === 'traefik')?.port ?? USUAL_API_PORT;
    return { problem: '', socketPath: socketPathOf(root), apiPort, entryPoints };
  } catch (error) {
    return { problem: describe(error), socketPath: '', apiPort: USUAL_API_PORT, entryPoints: [] };
  }
}

function describe(error: unknown): string {
  if (!(error instanceof TomlError)) return 'This is no TOML: it is nested too deeply.';
  const why = error.message.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '');
  return `This is no TOML, at line ${error.line}, column ${error.column}: ${why}`;
}

/** Traefik reads names of options in any case. */
function lookUp(table: Table | undefined, name: string): unknown {
  const key = Object.keys(table ?? {}).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : table?.[key];
}

function tableOf(table: Table | undefined, name: string): Table | undefined {
  const value = lookUp(table, name);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : undefined;
}

function socketPathOf(root: Table): string {
  const docker = tableOf(tableOf(root, 'providers'), 'docker');
  if (!docker) return '';
  const given = lookUp(docker, 'endpoint');
  const endpoint = typeof given === 'string' && given !== '' ? given : USUAL_ENDPOINT;
  return endpoint.startsWith('unix://') ? endpoint.slice('unix://'.length) : '';
}

/** Their addresses are as in `:8080` or `127.0.0.1:8080/tcp`; the API is on the one that is named `traefik`. */
function entryPointsOf(root: Table): TraefikConfig['entryPoints'] {
  const all = tableOf(root, 'entryPoints');
  return Object.keys(all ?? {}).flatMap((name) => {
    const address = lookUp(tableOf(all, name), 'address');
    const port = typeof address === 'string' ? Number(/:(\d{1,5})(?:\/tcp)?$/.exec(address)?.[1]) : Number.NaN;
    return port >= 1 && port <= 65_535 ? [{ name: name.toLowerCase(), port }] : [];
  });
}
