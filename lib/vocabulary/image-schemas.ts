import { z } from 'zod';
import { limits } from './limits';
import { isAbsolutePath } from './paths';

const required = (max: number) => z.string().min(1, 'Cannot be blank.').max(max);

const CONSTRAINTS = ['exactly', 'minimum', 'maximum', 'exclude', 'compatible', 'unconstrained', 'custom'] as const;
const manager = z.enum(['conda', 'pypi']);

const packageSchema = z.strictObject({
  manager,
  channel: z.string().max(200).default(''),
  name: required(200).regex(/^[A-Za-z0-9](?:[A-Za-z0-9._[\],-]*[A-Za-z0-9\]])?$/, 'Invalid package name.'),
  constraint: z.enum(CONSTRAINTS).default('unconstrained'),
  version: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9.,*+!=<>~ _|-]*$/, 'Invalid version.')
    .default(''),
});

/** Environments of a generated Dockerfile; names are unique in an image. */
export const environmentsSchema = z
  .array(
    z.strictObject({
      name: required(100).regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'Use letters, digits, dots, dashes and underscores.'),
      manager,
      channels: z
        .array(z.strictObject({ name: required(200), isUserGenerated: z.boolean().default(false) }))
        .max(50)
        .default([]),
      packages: z.array(packageSchema).max(2000).default([]),
    }),
  )
  .max(50)
  .superRefine((environments, context) => {
    const seen = new Set<string>();
    environments.forEach(({ name }, index) => {
      if (seen.has(name)) {
        const params = { code: 'validation_duplicate' };
        context.addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: 'Duplicate environment name. Please provide a unique one.',
          params,
        });
      }
      seen.add(name);
    });
  });

export const startupCommandsSchema = z
  .array(
    z.strictObject({
      command: required(4000),
      environment: z.string().max(100).nullable().default(null),
    }),
  )
  .max(50);

const id = z.number().int().min(0).max(65_535).nullable().default(null);
const accountName = z
  .string()
  .max(32)
  .regex(/^[A-Za-z0-9]*$/, 'Must be alphanumeric.')
  .default('');

export const userConfigurationSchema = z.strictObject({
  isAdded: z.boolean().default(false),
  uid: id,
  name: accountName,
  gid: id,
  group: accountName,
});

export const channelsSchema = z.array(required(200)).max(50);

/** Where an image's files lie in it, by the file's id. */
export const filePathsSchema = z.record(
  z.string().max(15),
  z
    .string()
    .max(limits.pathLength)
    .refine((path) => path === '' || isAbsolutePath(path), 'Must be an absolute path without “..”.'),
);
