import { z } from 'zod';
import type { HostRecord } from '@/components/data/types';
import { nvidiaDriverSchema, reverseProxySchema, traefikSchema } from '@/lib/vocabulary/host-schemas';

const text = z.string().trim();

export const PROXY_TYPES = ['traefikDockerProvider', 'traefikFileProvider'] as const;

const BLANK = 'Cannot be blank.';
const PORT_KEYS: Record<string, string> = { containerPort: 'invalidContainerPort', hostPort: 'invalidHostPort' };

/** The console's own rules of a field, told where the form has the same parts. */
function byRulesOf<Value>(rules: z.ZodType, field: string, toBody: (value: Value) => unknown) {
  return (values: Record<string, unknown>, context: z.RefinementCtx): void => {
    for (const issue of rules.safeParse(toBody(values[field] as Value)).error?.issues ?? []) {
      const portKey = issue.code === 'custom' ? undefined : PORT_KEYS[String(issue.path.at(-1))];
      const isTwice = issue.code === 'custom' && issue.path.at(-1) === 'hostPort';
      const message = isTwice ? 'duplicateHostPort' : issue.message === BLANK ? 'required' : (portKey ?? issue.message);
      context.addIssue({ code: 'custom', path: [field, ...issue.path], message });
    }
  };
}

const same = <Value>(value: Value): Value => value;

export const reverseProxyFormSchema = z
  .object({
    reverse_proxy: z.object({
      isAdded: z.boolean(),
      type: z.enum(['none', ...PROXY_TYPES]),
      containerName: text,
      entryPoint: text,
      certResolver: text,
      configFileLocation: text,
    }),
  })
  .superRefine(byRulesOf(reverseProxySchema, 'reverse_proxy', same));
export type ReverseProxyValues = z.infer<typeof reverseProxyFormSchema>;

export function toReverseProxy({ reverse_proxy: proxy }: HostRecord): ReverseProxyValues {
  return { reverse_proxy: proxy ?? reverseProxySchema.parse({}) };
}

export const nvidiaFormSchema = z
  .object({ nvidia_driver: z.object({ isAdded: z.boolean(), toolkitVersion: text, driverVersion: text }) })
  .superRefine(byRulesOf(nvidiaDriverSchema, 'nvidia_driver', same));
export type NvidiaValues = z.infer<typeof nvidiaFormSchema>;

export function toNvidia({ nvidia_driver: driver }: HostRecord): NvidiaValues {
  const { isAdded, toolkitVersion, driverVersion } = driver ?? nvidiaDriverSchema.parse({});
  return { nvidia_driver: { isAdded, toolkitVersion, driverVersion } };
}

const portRow = z.object({ containerPort: text, hostPort: text, protocol: z.enum(['tcp', 'udp']) });

export const traefikFormSchema = z
  .object({
    traefik: z.object({
      isAdded: z.boolean(),
      deploy: z.boolean(),
      image: text,
      containerName: text,
      networkName: text,
      ports: z.array(portRow),
      config: z.string(),
      configFileLocation: text,
    }),
  })
  .superRefine(byRulesOf(traefikSchema, 'traefik', toRecord));
export type TraefikValues = z.infer<typeof traefikFormSchema>;

export const NEW_PORT: TraefikValues['traefik']['ports'][number] = { containerPort: '', hostPort: '', protocol: 'tcp' };

export function toTraefik({ traefik }: HostRecord): TraefikValues {
  const { ports, ...stored } = traefik ?? traefikSchema.parse({});
  return {
    traefik: {
      ...stored,
      ports: ports.map(({ containerPort, hostPort, protocol }) => ({
        containerPort: String(containerPort),
        hostPort: hostPort === 0 ? '' : String(hostPort),
        protocol,
      })),
    },
  };
}

/** An empty port of the host is left to its engine. */
function toRecord({ ports, ...values }: TraefikValues['traefik']): Record<string, unknown> {
  const read = (digits: string): number => (/^\d+$/.test(digits) ? Number(digits) : Number.NaN);
  return {
    ...values,
    ports: ports.map(({ containerPort, hostPort, protocol }) => ({
      containerPort: read(containerPort),
      hostPort: hostPort === '' ? 0 : read(hostPort),
      protocol,
    })),
  };
}

/** As the record keeps it. */
export function toTraefikBody({ traefik }: TraefikValues): Record<string, unknown> {
  return { traefik: toRecord(traefik) };
}
