import { filesTable } from '@/db/schema/files';
import { imagesTable } from '@/db/schema/images';
import type { FieldProblems } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import { filesPolicy } from './policy';
import { defineCollection, type CheckContext, type PrepareContext, type RowOf } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { file } from '@/lib/records/fields/file';
import { number } from '@/lib/records/fields/number';
import { select } from '@/lib/records/fields/select';
import { tags } from '@/lib/records/fields/tags';
import { text } from '@/lib/records/fields/text';
import { url } from '@/lib/records/fields/url';
import { mediaTypeOf } from '@/lib/records/media-type';
import { refuseUsed } from '@/lib/records/refuse-used';
import { createdByField, descriptionField, nameField } from '@/lib/records/references';

type FileRow = RowOf<typeof filesTable>;
type Facts = Pick<FileRow, 'size' | 'content_type'>;

export const files = defineCollection({
  id: 'berthfiles00001',
  name: 'files',
  table: filesTable,
  fields: {
    name: searched(nameField()),
    description: searched(descriptionField()),
    type: searched(select({ values: ['upload', 'external'], required: true })),
    content_type: searched(text({ max: 200 })),
    size: searched(number({ min: 0, noDecimal: true })),
    url: searched(url()),
    file: searched(file({ maxBytes: limits.uploadBytes, isProtected: true })),
    created_by: searched(createdByField()),
    tags: searched(tags()),
  },
  check: checkFile,
  unique: [{ fields: ['name'], sentence: 'This name is already taken by another file.' }],
  policy: filesPolicy,
  hooks: {
    prepare: readFacts,
    complete: completeFile,
    beforeDelete({ tx, actor, row }) {
      const images = { name: 'images', table: imagesTable };
      const users = tx.findReferring(images, { field: 'files', id: row.id, multiple: true });
      const named = users.map(({ id, name }) => ({ id: String(id), name: String(name) }));
      refuseUsed({ tx, actor }, images.name, named);
    },
  },
});

/** Size and type of an upload are read from its bytes, whatever the client says of them. */
async function readFacts({ uploads }: PrepareContext<FileRow>): Promise<Facts | undefined> {
  const upload = uploads.file?.[0];
  if (!upload) return undefined;
  const { mime } = await mediaTypeOf(upload.bytes);
  return { size: upload.bytes.length, content_type: mime };
}

function completeFile({ row, before, sent, prepared }: CheckContext<FileRow>): void {
  const facts = prepared as Facts | undefined;
  if (!before && !sent.has('type')) row.type = row.url !== '' && row.file === '' ? 'external' : 'upload';
  if (row.type === 'external') return;
  row.url = '';
  Object.assign(row, facts ?? { size: before?.size ?? 0, content_type: before?.content_type ?? '' });
}

function checkFile({ row }: CheckContext<FileRow>): FieldProblems {
  if (row.type === 'external') {
    if (row.url === '') return { url: { code: 'validation_required', message: 'Cannot be blank.' } };
    if (!/^https?:\/\//i.test(row.url)) {
      return { url: { code: 'validation_invalid_url', message: 'Must be a valid url.' } };
    }
    return row.file === ''
      ? {}
      : { file: { code: 'validation_in_invalid', message: 'An external file has no upload.' } };
  }
  if (row.type === 'upload' && row.file === '') {
    return { file: { code: 'validation_required', message: 'Please upload a file.' } };
  }
  return {};
}
