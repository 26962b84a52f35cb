import { z } from 'zod';

/** A bridge that containers are put on. There is nothing to say of it but that it is there. */
export const networkSpecSchema = z.object({ driver: z.literal('bridge') });
export type NetworkSpec = z.infer<typeof networkSpecSchema>;
