import { limits } from '@/lib/vocabulary/limits';
import type { Field, FieldOptions } from './field';
import { castListOf, castSingle, checkCount } from './values';

export interface FileOptions extends FieldOptions {
  /** More than 1 makes it a list. */
  max?: number;
  maxBytes?: number;
  mimeTypes?: readonly string[];
  /** Sizes beside 100x100 that pictures may be asked in. */
  thumbs?: readonly string[];
  /** Served only with a file token whose owner may view the record. */
  isProtected?: boolean;
}

/** Stored names of uploaded files. */
export function file(options?: FileOptions & { max?: undefined }): Field<string>;
export function file(options: FileOptions & { max: number }): Field<string[]>;
export function file(options: FileOptions = {}): Field {
  const multiple = (options.max ?? 1) > 1;
  return {
    kind: 'file',
    options,
    multiple,
    unset: multiple ? [] : '',
    file: {
      maxBytes: options.maxBytes ?? limits.uploadBytes,
      mimeTypes: options.mimeTypes ?? [],
      thumbs: options.thumbs ?? [],
      isProtected: options.isProtected ?? false,
    },
    cast: multiple ? castListOf(options.max!) : castSingle,
    check: (value) => (Array.isArray(value) ? checkCount(value.length, { max: options.max }) : undefined),
  };
}
