/** Where the console serves ports of workspaces: each has a host name, and so an origin, of its own. */
export interface AppsPlace {
  scheme: 'http' | 'https';
  /** `name`, or `name:port` where that is not the scheme's own. */
  domain: string;
}

/** A port of a workspace, as its host name says it. */
export interface AppName {
  workspace: string;
  port: number;
}

/** What a request's Host header leads to. */
export interface AppHost {
  /** Undefined where no port of a workspace has such a name. */
  app: AppName | undefined;
  /** Lower case, without port and closing dot. */
  name: string;
  /** Whether it is written as in the address itself: cookies and pages of any other spelling are another's. */
  isCanonical: boolean;
}

const LABEL = /^([1-9]\d{0,4})--([a-z0-9]{15})$/;
const HOST = /^([^:]*?)(\.*)(?::(\d*))?$/;
const PORT_MAX = 65_535;
const OWN_PORTS = { http: '80', https: '443' } as const;

function splitDomain({ scheme, domain }: AppsPlace): { name: string; port: string } {
  const [name = '', port = ''] = domain.split(':');
  return { name, port: port === OWN_PORTS[scheme] ? '' : port };
}

/** `scheme://host` of a workspace's port, without the port of the console. */
export function appKey(place: AppsPlace, { workspace, port }: AppName): string {
  return `${place.scheme}://${port}--${workspace}.${splitDomain(place).name}`;
}

/** The origin at which a workspace's port opens. */
export function appOrigin(place: AppsPlace, app: AppName): string {
  const { port } = splitDomain(place);
  return `${appKey(place, app)}${port && `:${port}`}`;
}

/** The port of a workspace that a label stands for. */
export function readAppLabel(label: string): AppName | undefined {
  const found = LABEL.exec(label);
  const port = Number(found?.[1]);
  return found && port <= PORT_MAX ? { workspace: found[2]!, port } : undefined;
}

/** What a Host header under the domain leads to; undefined for one that is not under it, which is the console's own to answer. */
export function readAppHost(host: string, place: AppsPlace): AppHost | undefined {
  const parts = HOST.exec(host.toLowerCase());
  const domain = splitDomain(place);
  const name = parts?.[1] ?? '';
  if (!name.endsWith(`.${domain.name}`)) return undefined;
  const port = parts?.[3] ?? '';
  const isOwnPort = (port === OWN_PORTS[place.scheme] ? '' : port) === domain.port;
  const app = readAppLabel(name.slice(0, -domain.name.length - 1));
  return { app, name, isCanonical: parts?.[2] === '' && isOwnPort };
}
