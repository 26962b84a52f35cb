import { z } from 'zod';

/** An id that becomes part of names on the engine and of paths on the host. */
export const objectIdSchema = z.string().regex(/^[A-Za-z0-9_-]{1,50}$/);
