import { z } from 'zod';
import { DUPLICATE_ENVIRONMENT, NOT_ALPHANUMERIC } from './image-words';
import { limits } from './limits';
import { CONSTRAINTS, describeVersion, PACKAGE_MANAGERS, type PackageManager } from './package-versions';
import { plainPackageName } from './package-names';
import { isAbsolutePath } from './paths';

/** In one environment. */
export const PACKAGES_MAX = 2000;
export const CHANNEL_IN_USE = 'A channel cannot be deleted while a package depends on it.';

const required = (max: number) => z.string().min(1, 'Cannot be blank.').max(max);
const isPlain = (text: string): boolean => !text.includes('\u0000');

/** A name, or the web address of one: no sign-in, and nothing that a shell or a list of packages reads otherwise. */
const CHANNEL = /^(?:https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[\w.~+%-]+)*\/?|\w[\w.-]*(?:\/\w[\w.-]*)*)$/;
export const channelName = required(200).regex(CHANNEL, 'Invalid channel.');

/** What packages are called, by who manages them. */
export const PACKAGE_NAMES = {
  conda: /^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/,
  /** Extras may follow, as in `uvicorn[standard]`. */
  pypi: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\[[A-Za-z0-9._-]+(?:,[A-Za-z0-9._-]+)*\])?$/,
} as const;

export function isPackageName(manager: PackageManager, name: string): boolean {
  return PACKAGE_NAMES[manager].test(name);
}

const packageSchema = z
  .strictObject({
    manager: z.enum(PACKAGE_MANAGERS),
    channel: z.union([z.literal(''), channelName]).default(''),
    name: required(200),
    version: z
      .strictObject({
        constraint: z.enum(CONSTRAINTS).default('unconstrained'),
        specifier: z.string().max(200).default(''),
      })
      .default({ constraint: 'unconstrained', specifier: '' }),
    /** What the index says of it, for people. */
    description: z.string().max(limits.descriptionLength).default(''),
    latestVersion: z.string().max(200).default(''),
  })
  .superRefine(({ manager, name, version }, context) => {
    if (!isPackageName(manager, name)) {
      context.addIssue({ code: 'custom', path: ['name'], message: 'Invalid package name.' });
    }
    const problem = describeVersion(manager, version);
    if (problem !== '') context.addIssue({ code: 'custom', path: ['version', 'specifier'], message: problem });
  });

interface Named {
  name: string;
}

/** Complains of every value but the first of those that come to the same. */
export function refuseSame<T extends Named>(keyOf: (item: T) => string, message: string) {
  return (items: T[], context: z.RefinementCtx): void => {
    const seen = new Set<string>();
    items.forEach((item, index) => {
      const key = keyOf(item);
      const params = { code: 'validation_duplicate' };
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [index, 'name'], message, params });
      seen.add(key);
    });
  };
}

const channelsOf = z
  .array(z.strictObject({ name: channelName, isUserGenerated: z.boolean().default(false) }))
  .max(50)
  .superRefine(refuseSame(({ name }) => name, 'Duplicate channel.'));

const packagesOf = z
  .array(packageSchema)
  .max(PACKAGES_MAX)
  .superRefine(refuseSame(({ manager, name }) => `${manager} ${plainPackageName(name)}`, 'Duplicate package.'));

/** Environments of a generated Dockerfile; names are unique in an image. */
export const environmentsSchema = z
  .array(
    z.strictObject({
      name: required(100).regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'Use letters, digits, dots, dashes and underscores.'),
      /** In the order in which they are asked. */
      channels: channelsOf.default([]),
      packages: packagesOf.default([]),
    }),
  )
  .max(50)
  .superRefine(refuseSame(({ name }) => name, DUPLICATE_ENVIRONMENT));

export const startupCommandsSchema = z
  .array(
    z.strictObject({
      command: required(4000)
        .refine((command) => command.trim() !== '', 'Cannot be blank.')
        .refine(isPlain, 'Invalid command.'),
      /** Name of the environment that it runs in; null for none. */
      environment: z.string().max(100).nullable().default(null),
    }),
  )
  .max(50);

const id = z.number().int().min(0).max(65_535).nullable().default(null);
const accountName = z
  .string()
  .max(32)
  .regex(/^[A-Za-z0-9]*$/, NOT_ALPHANUMERIC)
  // Tools would take it for an id.
  .refine((name) => !/^\d+$/.test(name), 'Must have a letter.')
  .default('');

export const userConfigurationSchema = z.strictObject({
  isAdded: z.boolean().default(false),
  uid: id,
  name: accountName,
  gid: id,
  group: accountName,
});

export const channelsSchema = z.array(channelName).max(50);

/** Where an image's files lie in it, by the file's id. */
export const filePathsSchema = z.record(
  z.string().max(15),
  z
    .string()
    .max(limits.pathLength)
    .refine((path) => path === '' || isAbsolutePath(path), 'Must be an absolute path without “..”.'),
);
