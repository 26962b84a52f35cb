import { z } from 'zod';
import type { SettingRecord } from '@/components/data/types';

const entrySchema = z.object({
  name: z.string().trim().min(1, 'required'),
  address: z.string().trim().min(1, 'required'),
  trustForwardHeader: z.boolean(),
  /** As typed, with commas or blanks between. */
  authResponseHeaders: z.string(),
});

export const forwardAuthSchema = z.object({
  authCookie: z.string().trim().min(1, 'required'),
  csrfCookie: z.string().trim().min(1, 'required'),
  insecureCookies: z.boolean(),
  lifetime: z.number('required'),
  ports: z.string(),
  entries: z.array(entrySchema),
});
export type ForwardAuthValues = z.infer<typeof forwardAuthSchema>;

export const NEW_ENTRY: ForwardAuthValues['entries'][number] = {
  name: '',
  address: '',
  trustForwardHeader: false,
  authResponseHeaders: '',
};

/** The setting as it is stored; what is left out is as usual. */
const storedSchema = z.object({
  authCookie: z.string().default('__Host-berth-auth'),
  csrfCookie: z.string().default('__Host-berth-csrf'),
  insecureCookies: z.boolean().default(false),
  lifetime: z.number().default(3600),
  ports: z.array(z.number()).default([]),
  entries: z
    .array(
      z.object({
        name: z.string(),
        address: z.string(),
        trustForwardHeader: z.boolean().default(false),
        authResponseHeaders: z.array(z.string()).default([]),
      }),
    )
    .default([]),
});

const split = (text: string) => text.split(/[\s,]+/).filter(Boolean);

export function toValues(setting: SettingRecord | null): ForwardAuthValues {
  const parsed = storedSchema.safeParse(setting?.value ?? {});
  const stored = parsed.success ? parsed.data : storedSchema.parse({});
  return {
    ...stored,
    ports: stored.ports.join(', '),
    entries: stored.entries.map((entry) => ({ ...entry, authResponseHeaders: entry.authResponseHeaders.join(', ') })),
  };
}

/** As the setting keeps it. */
export function toBody(values: ForwardAuthValues): Record<string, unknown> {
  return {
    ...values,
    ports: split(values.ports).map(Number),
    entries: values.entries.map((entry) => ({ ...entry, authResponseHeaders: split(entry.authResponseHeaders) })),
  };
}
