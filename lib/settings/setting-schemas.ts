import { z, type ZodType } from 'zod';
import { BACKUPS_KEY, backupsSettingSchema } from './backups-setting';
import { cacheSettingSchema } from './cache-setting';
import { timesSettingSchema } from './times-setting';
import { isWebAddress } from './web-address';

const NAME_MAX = 100;
const TEXT_MAX = 500;
const LIST_MAX = 50;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

const INVALID_PORT = 'Port must be between 1 and 65535';
const WEB_ADDRESS = 'Enter an address that begins with https:// or http://.';
const address = () => z.string().trim().max(TEXT_MAX).refine(isWebAddress, WEB_ADDRESS);
/** One that proxies are told: nothing in it means anything to their configuration. */
const askedAddress = () =>
  address().refine(
    (url) => !isWebAddress(url) || /^[^/]+\/\/[A-Za-z0-9.:[\]-]+(?:\/[A-Za-z0-9._~%/-]*)?$/.test(url),
    'Use a plain address: a host, a port and a path of letters, digits and . _ ~ % -.',
  );
/** A cookie's name as RFC 6265 has it. */
const cookieName = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(NAME_MAX)
    .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, "A cookie's name has letters, digits and dashes.");
const headerName = () =>
  z
    .string()
    .trim()
    .max(NAME_MAX)
    .regex(/^[A-Za-z0-9-]+$/, "A header's name has letters, digits and dashes.");
/** No two items of a list may share what `keyOf` reads; the later one is refused at `field`. */
function oncePer<T>(field: string, keyOf: (item: T) => string) {
  return (items: T[], context: z.RefinementCtx): void => {
    const seen = new Set<string>();
    items.forEach((item, index) => {
      const key = keyOf(item).toLowerCase();
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [index, field], message: 'This is there twice.' });
      seen.add(key);
    });
  };
}

/** Where protected addresses of workspaces ask who comes; empty is this console. */
export const serviceServerSettingSchema = z.strictObject({
  endpointUrl: askedAddress().or(z.literal('')).default(''),
});
export type ServiceServerSetting = z.output<typeof serviceServerSettingSchema>;

const recommendationServers = z.strictObject({
  servers: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(NAME_MAX),
        url: address(),
        enabled: z.boolean().default(true),
      }),
    )
    .max(LIST_MAX)
    .superRefine(oncePer('url', ({ url }) => url))
    .default([]),
});

export const forwardAuthSettingSchema = z
  .strictObject({
    /** Names that begin with `__Host-` go without that where a browser would not take it: over plain http. */
    authCookie: cookieName().default('__Host-berth-auth'),
    csrfCookie: cookieName().default('__Host-berth-csrf'),
    /** Whether the cookies of https addresses go over plain http too. */
    insecureCookies: z.boolean().default(false),
    /** How long a log-in at an address counts, in seconds. */
    lifetime: z.int().min(1).max(YEAR_SECONDS).default(3600),
    /** Ports beside 80 and 443 at which proxies serve addresses. */
    ports: z.array(z.int(INVALID_PORT).min(1, INVALID_PORT).max(65_535, INVALID_PORT)).max(LIST_MAX).default([]),
    /** Servers that are asked too, once the console has said yes, as Traefik's `forwardAuth` names them. */
    entries: z
      .array(
        z.strictObject({
          /** Of a middleware, beside the console's own. */
          name: z
            .string()
            .trim()
            .min(1)
            .max(NAME_MAX)
            .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'Use letters, digits, “-” and “_”.')
            .refine((name) => name.toLowerCase() !== 'berth', 'This is the name of the console’s own.'),
          address: askedAddress(),
          trustForwardHeader: z.boolean().default(false),
          authResponseHeaders: z.array(headerName()).max(LIST_MAX).default([]),
        }),
      )
      .max(LIST_MAX)
      .superRefine(oncePer('name', ({ name }) => name))
      .default([]),
  })
  .refine(({ authCookie, csrfCookie }) => authCookie !== csrfCookie, {
    path: ['csrfCookie'],
    message: 'The two cookies need different names.',
  });
export type ForwardAuthSetting = z.output<typeof forwardAuthSettingSchema>;

/** What the value of a setting has to be like, by the setting's key. */
export const settingSchemas: Readonly<Record<string, ZodType>> = {
  serviceServer: serviceServerSettingSchema,
  recommendationServers,
  cache: cacheSettingSchema,
  [BACKUPS_KEY]: backupsSettingSchema,
  forwardAuth: forwardAuthSettingSchema,
  times: timesSettingSchema,
};
