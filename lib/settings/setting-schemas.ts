import { z, type ZodType } from 'zod';
import { cacheSettingSchema } from './cache-setting';
import { isWebAddress } from './web-address';

const NAME_MAX = 100;
const TEXT_MAX = 500;
const LIST_MAX = 50;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

const WEB_ADDRESS = 'Enter an address that begins with https:// or http://.';
const address = () => z.string().trim().max(TEXT_MAX).refine(isWebAddress, WEB_ADDRESS);
/** A cookie's name as RFC 6265 has it. */
const cookieName = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(NAME_MAX)
    .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, "A cookie's name has letters, digits and dashes.");
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
const serviceServer = z.strictObject({
  endpointUrl: address().or(z.literal('')).default(''),
});

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

const forwardAuth = z
  .strictObject({
    authCookie: cookieName().default('berth-auth'),
    csrfCookie: cookieName().default('berth-csrf'),
    /** Whether the cookies go over plain http too. */
    insecureCookies: z.boolean().default(false),
    lifetime: z.int().min(1).max(YEAR_SECONDS).default(3600),
    /** Servers that decide in place of the console, as Traefik's `forwardAuth` names them. */
    entries: z
      .array(
        z.strictObject({
          name: z.string().trim().min(1).max(NAME_MAX),
          address: address(),
          trustForwardHeader: z.boolean().default(false),
          authResponseHeaders: z.array(z.string().trim().min(1).max(NAME_MAX)).max(LIST_MAX).default([]),
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

/** What the value of a setting has to be like, by the setting's key. */
export const settingSchemas: Readonly<Record<string, ZodType>> = {
  serviceServer,
  recommendationServers,
  cache: cacheSettingSchema,
  forwardAuth,
};
