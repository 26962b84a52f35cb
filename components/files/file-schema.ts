import { z } from 'zod';
import type { FileRecord } from '@/components/data/types';
import { tagsSchema } from '@/components/records/tags/tags-schema';
import { limits } from '@/lib/vocabulary/limits';
import { FILE_TYPES } from './file-types';

export const fileSchema = z
  .object({
    type: z.enum(FILE_TYPES),
    name: z.string().trim().min(1, 'required').max(limits.nameLength),
    description: z.string().max(limits.descriptionLength),
    tags: tagsSchema,
    url: z.string().trim(),
    /** Chosen just now. */
    file: z.custom<File>().optional(),
    /** Name of the one that is stored. */
    stored: z.string(),
  })
  .superRefine(({ type, url, file, stored }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (type === 'external' && url === '') refuse('url', 'required');
    else if (type === 'external' && !isWebAddress(url)) refuse('url', 'notValidUrl');
    if (type === 'upload' && !file && stored === '') refuse('file', 'pleaseUploadAFile');
    if (type === 'upload' && file && file.size > limits.uploadBytes) refuse('file', 'fileSizeLimitExceeded');
  });
export type FileValues = z.infer<typeof fileSchema>;

export const EMPTY_FILE: FileValues = {
  type: 'upload',
  name: '',
  description: '',
  tags: [],
  url: '',
  file: undefined,
  stored: '',
};

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

export function toValues({ type, name, description, tags, url, file }: FileRecord): FileValues {
  return { type, name, description, tags, url, file: undefined, stored: file };
}

/** The body of a call: the file where one was chosen. */
export function toBody({ type, name, description, tags, url, file }: FileValues): Record<string, unknown> {
  return { type, name, description, tags, ...(type === 'external' ? { url } : file && { file }) };
}
