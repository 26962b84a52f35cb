import type { output } from 'zod';
import type { environmentsSchema, startupCommandsSchema, userConfigurationSchema } from './image-schemas';

export type ImageEnvironment = output<typeof environmentsSchema>[number];
export type StartupCommand = output<typeof startupCommandsSchema>[number];
export type UserConfiguration = output<typeof userConfigurationSchema>;

export const CREATION_TYPES = ['generateDockerfile', 'writeDockerfile', 'pullAnImage'] as const;
