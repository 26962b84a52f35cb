import { z } from 'zod';

const shortText = z.string().max(500).default('');
const port = z.number().int().min(0).max(65_535);

/** Registry accounts of a host. An empty password keeps the stored one. */
export const registryAuthsSchema = z
  .array(
    z.strictObject({
      serveraddress: z.string().min(1, 'Cannot be blank.').max(255),
      username: z.string().min(1, 'Cannot be blank.').max(255),
      password: z.string().max(10_000).default(''),
    }),
  )
  .max(50);

/** Labels need container, entry point and resolver; files need entry point, resolver and the folder. */
export const reverseProxySchema = z
  .strictObject({
    isAdded: z.boolean().default(false),
    type: z.enum(['none', 'traefikDockerProvider', 'traefikFileProvider']).default('none'),
    containerName: shortText,
    entryPoint: shortText,
    certResolver: shortText,
    configFileLocation: shortText,
  })
  .superRefine((proxy, context) => {
    if (!proxy.isAdded) return;
    requireTexts(proxy, proxyNeeds[proxy.type], context);
  });

const proxyNeeds = {
  none: [],
  traefikDockerProvider: ['containerName', 'entryPoint', 'certResolver'],
  traefikFileProvider: ['entryPoint', 'certResolver', 'configFileLocation'],
} as const;

export const nvidiaDriverSchema = z
  .strictObject({
    isAdded: z.boolean().default(false),
    deploy: z.boolean().default(false),
    toolkitVersion: shortText,
    driverVersion: shortText,
  })
  .superRefine((driver, context) => {
    if (driver.isAdded) requireTexts(driver, ['toolkitVersion', 'driverVersion'], context);
  });

export const traefikSchema = z
  .strictObject({
    isAdded: z.boolean().default(false),
    deploy: z.boolean().default(false),
    image: shortText,
    containerName: shortText,
    networkName: shortText,
    ports: z
      .array(z.strictObject({ containerPort: port, hostPort: port, protocol: z.enum(['tcp', 'udp']).default('tcp') }))
      .max(100)
      .default([]),
    config: z
      .string()
      .max(256 * 1024)
      .default(''),
    configFileLocation: shortText,
  })
  .superRefine((traefik, context) => {
    if (!traefik.isAdded) return;
    requireTexts(traefik, ['image', 'containerName', 'networkName', 'configFileLocation', 'config'], context);
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
