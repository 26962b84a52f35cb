import { z } from 'zod';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Nothing in it means anything to a rule, a list with commas, or a template of a configuration file. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._@+-]*$/;

const basicUserSchema = z.object({
  name: z.string().max(100).regex(PLAIN_NAME),
  /** Of the password, by bcrypt. */
  hash: z.string().regex(/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/),
});

/** Who is let in at an address: everyone, the users of a list, or those whom the console lets in. */
export const protectionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('basic'), users: z.array(basicUserSchema).min(1) }),
  z.object({ kind: z.literal('forwardAuth') }),
]);

/** An address from outside that leads to a port of the container. */
export const routeSpecSchema = z.object({
  scheme: z.enum(['http', 'https']),
  hostName: z.string().regex(HOST_NAME),
  port: z.int().min(1).max(65_535),
  protection: protectionSchema,
});
export type RouteSpec = z.infer<typeof routeSpecSchema>;

const HEADER_NAME = /^[A-Za-z0-9-]{1,100}$/;

/** Another server that is asked about a request, as Traefik's `forwardAuth` names its parts. */
const furtherAuthSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/),
  address: z.string(),
  trustForwardHeader: z.boolean(),
  authResponseHeaders: z.array(z.string().regex(HEADER_NAME)),
});

export const PROXY_TYPES = ['none', 'traefikDockerProvider', 'traefikFileProvider'] as const;

/** The Traefik of a host, which somebody else runs. Texts are empty where they are not given. */
export const reverseProxySpecSchema = z.object({
  type: z.enum(PROXY_TYPES).default('none'),
  containerName: z.string().default(''),
  /** One, or several with commas between. */
  entryPoint: z.string().default(''),
  certResolver: z.string().default(''),
  /** The folder of its file provider, as the agent sees it. */
  configFileLocation: z.string().default(''),
  /** Whom it asks who may come in; absolute URL. */
  forwardAuth: z.string().default(''),
  /** Whom it asks after that, in this order; all of them have to agree. */
  furtherAuth: z.array(furtherAuthSchema).default([]),
});
export type ReverseProxySpec = z.infer<typeof reverseProxySpecSchema>;
