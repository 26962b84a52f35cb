import { z } from 'zod';
import { limits } from './limits';
import { INVALID_DOMAIN, isSubdomain } from './domain-name';
import { isAbsolutePath } from './paths';
import { isHostIp, leavesHostPortOpen, parsePorts, portCount } from './ports';
import { SHARE_LEVELS, URL_AUTHENTICATIONS } from './workspace';

const INVALID_PORT = 'Port must be between 1 and 65535';

const portText = z.union([z.number().int(), z.string().max(20)]);

const portMappingSchema = z
  .strictObject({
    containerPort: portText,
    protocol: z.enum(['tcp', 'udp']).default('tcp'),
    hostPort: portText.default(''),
    hostIp: z.string().refine(isHostIp, 'Invalid host. Use hostname, IP, or leave blank.').default(''),
  })
  .superRefine((mapping, context) => {
    const container = parsePorts(mapping.containerPort);
    const host = leavesHostPortOpen(mapping) ? container : parsePorts(mapping.hostPort);
    if (!container)
      context.addIssue({ code: 'custom', path: ['containerPort'], message: 'Invalid port on the container.' });
    if (!host) context.addIssue({ code: 'custom', path: ['hostPort'], message: 'Invalid port on the host.' });
    if (container && host && portCount(container) !== portCount(host)) {
      const message = 'The ranges on the container and on the host must be equally long.';
      context.addIssue({ code: 'custom', path: ['hostPort'], message });
    }
  });

/** Port mappings by themselves; clashes among them and with other workspaces are the collection's to find. */
export const portMappingsSchema = z
  .array(portMappingSchema)
  .max(limits.portMappings, 'Maximum number of items exceeded!')
  .superRefine((mappings, context) => {
    const ranges = mappings.map(({ containerPort }) => parsePorts(containerPort));
    const total = ranges.reduce((sum, range) => sum + (range ? portCount(range) : 0), 0);
    if (total > limits.publishedPorts) {
      context.addIssue({ code: 'custom', message: `At most ${limits.publishedPorts} ports may be published.` });
    }
  });

/** Names follow the shells' grammar and are unique. An empty secret value keeps the stored one. */
export const environmentVariablesSchema = z
  .array(
    z.strictObject({
      name: z
        .string()
        .max(255)
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Invalid environment variable name.'),
      value: z
        .string()
        .max(limits.environmentValueBytes)
        .refine((value) => !value.includes('\u0000'), 'Invalid environment variable.')
        .default(''),
      secret: z.boolean().default(false),
    }),
  )
  .max(limits.environmentVariables, 'Maximum number of items exceeded!')
  .superRefine((variables, context) => {
    const seen = new Set<string>();
    variables.forEach(({ name }, index) => {
      const params = { code: 'validation_duplicate' };
      const message = 'Duplicate environment variable name.';
      if (seen.has(name)) context.addIssue({ code: 'custom', path: [index, 'name'], message, params });
      seen.add(name);
    });
  });

export const argumentsSchema = z
  .array(z.string().max(32 * 1024))
  .max(limits.arguments, 'Maximum number of items exceeded!');

/** Given cards by uuid, or a count of any. */
export const gpusSchema = z.union([
  z.strictObject({ uuids: z.array(z.string().regex(/^[A-Za-z0-9-]{1,100}$/)).max(64) }),
  z.strictObject({ count: z.number().int().min(0).max(64) }),
]);

const checkSeconds = (max: number) => z.number().min(0).max(max).default(0);

/** A command that ends with 0 while the workspace is well. 0 leaves a number to the engine; an empty command is no check. */
export const healthCheckSchema = z.strictObject({
  command: z
    .string()
    .max(limits.healthCommandLength)
    .refine((text) => !text.includes('\u0000'), 'Invalid command.'),
  intervalSeconds: checkSeconds(limits.healthSeconds),
  timeoutSeconds: checkSeconds(limits.healthSeconds),
  retries: z.number().int().min(0).max(limits.healthRetries).default(0),
  /** Failures within so long after a start don't count. */
  startSeconds: checkSeconds(limits.healthSeconds),
});

/** Where the workspace sees its volumes, by the volume's id. */
export const volumePathsSchema = z.record(
  z.string().max(15),
  z.strictObject({
    path: z
      .string()
      .max(limits.pathLength)
      .refine((path) => path === '' || isAbsolutePath(path), 'Must be an absolute path without “..”.'),
    readOnly: z.boolean().default(false),
  }),
);

/** What bcrypt reads of a password. */
const PASSWORD_BYTES = 72;

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

const urlUserSchema = z.strictObject({
  username: z
    .string()
    .min(1, 'Cannot be blank.')
    .max(100)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._@+-]*$/, 'Use letters, digits and . _ @ + - only.'),
  password: z
    .string()
    .refine((text) => utf8Length(text) <= PASSWORD_BYTES, `Must be at most ${PASSWORD_BYTES} bytes.`)
    .refine((text) => !text.includes('\u0000'), 'Invalid value.')
    .default(''),
});

/** Addresses from outside; that their domains may be used is the collection's to find. */
export const externalUrlsSchema = z
  .array(
    z.strictObject({
      scheme: z.enum(['http', 'https']),
      subdomain: z
        .string()
        .refine((text) => text === '' || isSubdomain(text), INVALID_DOMAIN)
        .default(''),
      domain: z.string().min(1, 'This field is required.').max(15),
      port: z.number({ error: INVALID_PORT }).int(INVALID_PORT).min(1, INVALID_PORT).max(65_535, INVALID_PORT),
      authentication: z.enum(URL_AUTHENTICATIONS).default('none'),
      users: z.array(urlUserSchema).max(limits.urlUsers, 'Maximum number of items exceeded!').default([]),
    }),
  )
  .max(limits.externalUrls, 'Maximum number of items exceeded!');

/** Ports that say who may open them; dates of those that are public are the collection's to look at. */
export const portSharesSchema = z
  .array(
    z.strictObject({
      port: z.number({ error: INVALID_PORT }).int(INVALID_PORT).min(1, INVALID_PORT).max(65_535, INVALID_PORT),
      level: z.enum(SHARE_LEVELS),
      until: z
        .union([z.literal(''), z.iso.datetime({ error: 'Invalid date.' })])
        .default('')
        .describe('When a port stops being public; empty for other levels'),
    }),
  )
  .max(limits.portShares, 'Maximum number of items exceeded!')
  .superRefine((shares, context) => {
    const seen = new Set<number>();
    shares.forEach(({ port, level, until }, index) => {
      const issue = (key: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [index, key], message });
      if (seen.has(port)) issue('port', 'The port is named twice.');
      seen.add(port);
      if (level === 'public' && until === '') issue('until', 'Say until when the port is public.');
      if (level !== 'public' && until !== '') issue('until', 'Only a public port has a date.');
    });
  });
