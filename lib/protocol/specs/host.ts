import { z } from 'zod';
import { reverseProxySpecSchema } from './route';

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
  /** Of consoles of protocol 2; newer ones give each job the accounts that it needs. */
  registryAuths: z.array(registryAuthSchema),
  buildWidth: z.int().min(1),
  /** Whether bind mounts may lie anywhere under the bind roots, and not only in their owner's folder. */
  sharedBindFolders: z.boolean().default(false),
  reverseProxy: reverseProxySpecSchema.prefault({}),
});
export type HostSpec = z.infer<typeof hostSpecSchema>;
