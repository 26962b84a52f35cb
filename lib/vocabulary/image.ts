import type { output } from 'zod';
import type { environmentsSchema, startupCommandsSchema, userConfigurationSchema } from './image-schemas';

export type ImageEnvironment = output<typeof environmentsSchema>[number];
export type StartupCommand = output<typeof startupCommandsSchema>[number];
export type UserConfiguration = output<typeof userConfigurationSchema>;

/** A port that an image says it listens on. */
export interface ExposedPort {
  containerPort: number;
  protocol: 'tcp' | 'udp';
}

export const CREATION_TYPES = ['generateDockerfile', 'writeDockerfile', 'pullAnImage'] as const;

/** What a generated Dockerfile starts from where nothing else is said. */
export const DEFAULT_BASE_IMAGE = 'ubuntu:24.04';
