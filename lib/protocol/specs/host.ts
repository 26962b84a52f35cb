import { z } from 'zod';

export const registryAuthSchema = z.object({
  serveraddress: z.string(),
  username: z.string(),
  password: z.string(),
});
export type RegistryAuthSpec = z.infer<typeof registryAuthSchema>;

/** Settings of the host itself. */
export const hostSpecSchema = z.object({
  name: z.string(),
  enabled: z.boolean(),
  defaultRuntime: z.string(),
  defaultGpuRuntime: z.string(),
  registryAuths: z.array(registryAuthSchema),
  buildWidth: z.int().min(1),
});
export type HostSpec = z.infer<typeof hostSpecSchema>;
