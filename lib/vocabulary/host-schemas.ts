import { z } from 'zod';
import { INVALID_IMAGE_NAME, parseImageName } from './image-name';
import { parsePortList, UNPRIVILEGED_PORTS } from './ports';
import {
  INVALID_ENGINE_NAME,
  INVALID_HOST_FOLDER,
  INVALID_NETWORK_NAME,
  isEngineName,
  isHostFolder,
  isNetworkName,
  isProxyName,
} from './proxy-names';

const shortText = z.string().max(500).default('');
const port = z.number().int().min(0).max(65_535);
/** A text that may be left empty while nothing is added. */
const shortTextOf = (isGood: (text: string) => boolean, message: string) =>
  shortText.refine((text) => text === '' || isGood(text), message);
const containerName = shortTextOf(isEngineName, INVALID_ENGINE_NAME);
const hostFolder = shortTextOf(isHostFolder, INVALID_HOST_FOLDER);

/** A repository or the beginning of one, within the account's registry: `team` covers `team/app`. `*` is all of it. */
const repositoryPrefixes = z
  .array(
    z
      .string()
      .max(255)
      .regex(/^(\*|[A-Za-z0-9][A-Za-z0-9._:/-]*)$/, 'Use the beginning of a repository, as in team/base, or *.'),
  )
  .max(100)
  .default([]);
const userIds = z.array(z.string().min(1).max(15)).max(200).default([]);

/**
 * Registry accounts of a host. An empty password keeps the stored one. Who may change the host may use them for everything;
 * others within the repositories that are opened to them: all who may create images there, or only the users that are named.
 */
export const registryAuthsSchema = z
  .array(
    z.strictObject({
      serveraddress: z.string().min(1, 'Cannot be blank.').max(255),
      username: z.string().min(1, 'Cannot be blank.').max(255),
      password: z.string().max(10_000).default(''),
      pullRepositories: repositoryPrefixes,
      pullUsers: userIds,
      pushRepositories: repositoryPrefixes,
      pushUsers: userIds,
    }),
  )
  .max(50);

/** Images that only the host has and that builds may start from: with a tag, or every tag of a repository. */
export const localImagesSchema = z
  .array(
    z
      .string()
      .max(512)
      .refine((name) => parseImageName(name) !== undefined, INVALID_IMAGE_NAME),
  )
  .max(200);

/** Labels need container, entry point and resolver; files need entry point, resolver and the folder. */
export const reverseProxySchema = z
  .strictObject({
    isAdded: z.boolean().default(false),
    type: z.enum(['none', 'traefikDockerProvider', 'traefikFileProvider']).default('none'),
    containerName,
    /** Several with commas between. */
    entryPoint: shortTextOf((names) => names.split(',').every((name) => isProxyName(name.trim())), INVALID_ENGINE_NAME),
    certResolver: shortTextOf(isProxyName, INVALID_ENGINE_NAME),
    configFileLocation: hostFolder,
  })
  .superRefine((proxy, context) => {
    if (!proxy.isAdded) return;
    if (proxy.type === 'none') {
      const params = { code: 'validation_required' };
      context.addIssue({ code: 'custom', path: ['type'], message: 'Cannot be blank.', params });
    }
    requireTexts(proxy, proxyNeeds[proxy.type], context);
  });

const proxyNeeds = {
  none: [],
  traefikDockerProvider: ['containerName', 'entryPoint', 'certResolver'],
  traefikFileProvider: ['entryPoint', 'certResolver', 'configFileLocation'],
} as const;

/** A driver is a part of the machine's kernel: a restart of the machine and of its engine, with all that they run. */
const NO_DRIVER_DEPLOYMENT =
  'Berth installs no driver by itself: it needs a restart of the machine. Run the commands that the page shows.';

export const nvidiaDriverSchema = z
  .strictObject({
    isAdded: z.boolean().default(false),
    deploy: z.boolean().default(false),
    toolkitVersion: shortText,
    driverVersion: shortText,
  })
  .superRefine((driver, context) => {
    if (driver.isAdded) requireTexts(driver, ['toolkitVersion', 'driverVersion'], context);
    if (driver.deploy) context.addIssue({ code: 'custom', path: ['deploy'], message: NO_DRIVER_DEPLOYMENT });
  });

export const traefikSchema = z
  .strictObject({
    isAdded: z.boolean().default(false),
    deploy: z.boolean().default(false),
    image: shortTextOf((name) => parseImageName(name) !== undefined, INVALID_IMAGE_NAME),
    containerName,
    networkName: shortTextOf(isNetworkName, INVALID_NETWORK_NAME),
    ports: z
      .array(
        z.strictObject({ containerPort: port.min(1), hostPort: port, protocol: z.enum(['tcp', 'udp']).default('tcp') }),
      )
      .max(100)
      .default([]),
    config: z
      .string()
      .max(256 * 1024)
      .default(''),
    configFileLocation: hostFolder,
  })
  .superRefine((traefik, context) => {
    if (!traefik.isAdded) return;
    refuseTwice(traefik.ports, context);
    requireTexts(traefik, ['image', 'containerName', 'networkName', 'configFileLocation', 'config'], context);
  });

/** What containers of a host may be given, and what they get where their workspace doesn't say. */
export const hostIsolationSchema = z.strictObject({
  /** Allowed beside the host's two default runtimes. */
  runtimes: z.array(z.string().trim().min(1, 'Cannot be blank.').max(100)).max(20).default([]),
  /** Host ports that may be published: ports and ranges with commas between. */
  hostPorts: z
    .string()
    .max(1000)
    .refine((value) => parsePortList(value) !== undefined, 'Must be ports or ranges such as 443, 8000-8999.')
    .default(UNPRIVILEGED_PORTS),
  /** Cores; 0 is no limit. */
  cpuLimit: z.number().min(0).max(4096).default(0),
  /** Bytes; 0 is no limit. */
  memoryLimit: z.number().int().min(0).default(0),
  /** Processes and threads; 0 is no limit. */
  pidsLimit: z.number().int().min(0).max(4_194_304).default(4096),
  allowNewPrivileges: z.boolean().default(false),
  keepNetRaw: z.boolean().default(false),
  /** Whether people's bind mounts may lie anywhere under the host's bind roots, and not in folders of their own. */
  sharedBindFolders: z.boolean().default(false),
});

function requireTexts<T extends object>(
  value: T,
  names: readonly (keyof T & string)[],
  context: z.RefinementCtx,
): void {
  for (const name of names) {
    if (value[name] !== '') continue;
    const params = { code: 'validation_required' };
    context.addIssue({ code: 'custom', path: [name], message: 'Cannot be blank.', params });
  }
}

/** A port of the host leads to one place. */
function refuseTwice(ports: readonly { hostPort: number; protocol: string }[], context: z.RefinementCtx): void {
  ports.forEach(({ hostPort, protocol }, index) => {
    const first = ports.findIndex((each) => each.hostPort === hostPort && each.protocol === protocol);
    if (hostPort === 0 || first === index) return;
    const params = { code: 'validation_not_unique' };
    context.addIssue({ code: 'custom', path: ['ports', index, 'hostPort'], message: PORT_TWICE, params });
  });
}

const PORT_TWICE = 'This port of the host is published already.';
