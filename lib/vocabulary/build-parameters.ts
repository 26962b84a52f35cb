import { z } from 'zod';
import { refuseSame } from './image-schemas';

const VALUE_MAX = 32 * 1024;
const isPlain = (text: string): boolean => !text.includes('\u0000');

const ARGUMENT_NAME = /^[A-Za-z_]\w{0,99}$/;
/** What steers the builder itself, or is said by it. */
const RESERVED = /^(?:BUILDKIT_.*|(?:TARGET|BUILD)(?:PLATFORM|OS|ARCH|VARIANT))$/i;

/** What a written Dockerfile gets for its ARGs. They are told by the image's history. */
export const buildArgumentsSchema = z
  .array(
    z.strictObject({
      name: z
        .string()
        .min(1, 'Cannot be blank.')
        .regex(ARGUMENT_NAME, 'Use letters, digits and underscores, and begin with no digit.')
        .refine((name) => !RESERVED.test(name), 'The builder gives this one itself.'),
      value: z.string().max(VALUE_MAX).refine(isPlain, 'Invalid value.').default(''),
    }),
  )
  .max(100)
  .superRefine(refuseSame(({ name }) => name, 'Duplicate build argument.'));

/** What steps of a written Dockerfile may mount, as in `--mount=type=secret,id=token`. An empty value keeps the one that is stored. */
export const buildSecretsSchema = z
  .array(
    z.strictObject({
      name: z
        .string()
        .min(1, 'Cannot be blank.')
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'Use letters, digits, dots, dashes and underscores.'),
      value: z.string().max(VALUE_MAX).refine(isPlain, 'Invalid value.').default(''),
    }),
  )
  .max(50)
  .superRefine(refuseSame(({ name }) => name, 'Duplicate secret.'));

export type BuildArgument = z.output<typeof buildArgumentsSchema>[number];
export type BuildSecret = z.output<typeof buildSecretsSchema>[number];
