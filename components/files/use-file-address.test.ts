import { expect, it } from 'vitest';
import { previewOf } from './use-file-address';

it.each([
  ['image/png', 5_000_000, 'picture'],
  ['image/svg+xml', 100, 'text'],
  ['text/plain; charset=utf-8', 262_144, 'text'],
  ['text/html', 10, 'text'],
  ['application/json', 10, 'text'],
  ['text/plain', 262_145, undefined],
  ['application/zip', 10, undefined],
])('shows %s of %d bytes as %s', (content_type, size, kind) => expect(previewOf({ content_type, size })).toBe(kind));
