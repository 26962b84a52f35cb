import type { Area } from '@/lib/http/area';
import { files } from './collection';
import { filePermissions } from './permissions';

export const filesArea = {
  collections: [files, filePermissions],
} satisfies Area;
