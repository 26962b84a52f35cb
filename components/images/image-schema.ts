import { z } from 'zod';
import type { ImageRecord } from '@/components/data/types';
import { parseImageName } from '@/lib/vocabulary/image-name';
import { limits } from '@/lib/vocabulary/limits';

export const imageSchema = z
  .object({
    creationType: z.enum(['writeDockerfile', 'pullAnImage', 'generateDockerfile']),
    name: z.string().trim().min(1, 'required').max(limits.nameLength),
    description: z.string().max(limits.descriptionLength),
    build_on: z.string().min(1, 'required'),
    dockerImageName: z
      .string()
      .trim()
      .refine((name) => name === '' || parseImageName(name) !== undefined, 'invalidDockerImageName'),
    dockerfile: z.string().max(limits.dockerfileBytes),
    force_pull_base: z.boolean(),
    push_after_build: z.boolean(),
  })
  .superRefine((values, context) => {
    const refuse = (path: string) => context.addIssue({ code: 'custom', path: [path], message: 'required' });
    if (values.creationType === 'writeDockerfile' && values.dockerfile.trim() === '') refuse('dockerfile');
    if (values.creationType === 'pullAnImage' && values.dockerImageName === '') refuse('dockerImageName');
  });
export type ImageValues = z.infer<typeof imageSchema>;

export function toValues(image: ImageRecord): ImageValues {
  const { creationType, name, description, build_on, dockerImageName, dockerfile, force_pull_base, push_after_build } =
    image;
  return { creationType, name, description, build_on, dockerImageName, dockerfile, force_pull_base, push_after_build };
}
