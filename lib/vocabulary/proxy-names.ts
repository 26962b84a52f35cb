/** What a Docker engine takes as the name of a container or a network. */
const ENGINE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
/** Networks of the machine itself: who is on one is in no network of its own. */
const MACHINE_NETWORKS = ['host', 'none', 'default'];

export const INVALID_ENGINE_NAME = 'Use letters, digits, dots, dashes and underscores; begin with a letter or digit.';
export const INVALID_NETWORK_NAME = `${INVALID_ENGINE_NAME.replace(/\.$/, '')}. Not host, none or default.`;
export const INVALID_HOST_FOLDER = 'Use an absolute path such as /etc/traefik, without . and .. in it.';

const PROXY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Whether a text is a name of something in a proxy's own configuration: they end up in lists and in templates. */
export function isProxyName(name: string): boolean {
  return PROXY_NAME.test(name);
}

export function isEngineName(name: string): boolean {
  return ENGINE_NAME.test(name);
}

export function isNetworkName(name: string): boolean {
  return isEngineName(name) && !MACHINE_NETWORKS.includes(name);
}

/** Whether a text is the absolute path of a folder that says what it means; `/` itself is none to write into. */
export function isHostFolder(path: string): boolean {
  return path.length <= 4096 && /^(?:\/(?!\.{1,2}(?:\/|$))[^/\0\n]+)+$/.test(path);
}
