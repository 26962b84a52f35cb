import { expect, it } from 'vitest';
import { schemaResolver } from '@/components/records/schema-resolver';
import { EMPTY_FILE, fileSchema, toBody, type FileValues } from './file-schema';

const upload = new File(['x'.repeat(10)], 'setup.sh');
const large = new File([new Uint8Array(5_242_881)], 'large.bin');
const full = new File([new Uint8Array(5_242_880)], 'full.bin');

async function messagesOf(values: Partial<FileValues>) {
  const options = { fields: {}, shouldUseNativeValidation: false };
  const { errors } = await schemaResolver(fileSchema)({ ...EMPTY_FILE, name: 'a', ...values }, undefined, options);
  return Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, error?.message]));
}

it.each([
  [{}, { file: 'pleaseUploadAFile' }],
  [{ file: upload }, {}],
  [{ stored: 'setup.sh' }, {}],
  [{ file: full }, {}],
  [{ file: large }, { file: 'fileSizeLimitExceeded' }],
  [{ file: upload, name: ' ' }, { name: 'required' }],
  [{ type: 'external' }, { url: 'required' }],
  [{ type: 'external', url: 'ftp://example.org/x' }, { url: 'notValidUrl' }],
  [{ type: 'external', url: 'nothing' }, { url: 'notValidUrl' }],
  [{ type: 'external', url: 'https://example.org/x' }, {}],
] as const)('%j is told %j', async (values, messages) => expect(await messagesOf(values)).toEqual(messages));

it('sends a file only where one was chosen, and an address only of what is elsewhere', () => {
  expect(toBody({ ...EMPTY_FILE, stored: 'a.sh' })).toEqual({ type: 'upload', tags: [], name: '', description: '' });
  expect(toBody({ ...EMPTY_FILE, file: upload })).toMatchObject({ file: upload });
  expect(toBody({ ...EMPTY_FILE, type: 'external', url: 'https://a.test', file: upload })).toEqual({
    type: 'external',
    name: '',
    description: '',
    url: 'https://a.test',
    tags: [],
  });
});
