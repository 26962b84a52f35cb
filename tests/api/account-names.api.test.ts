import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/lib/ids';
import type { AnyRow } from '@/lib/records/collection';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { everything } from '../setup/snapshot';
import { createUser } from '../setup/world';

openPrivateDatabase();

const PASSWORD = 'Secret123!';
let admin: AnyRow & { id: string };

beforeAll(async () => {
  admin = await createUser({ isAdmin: true, username: 'idil', email: 'idil@example.com' });
});

const create = (body: AnyRow) =>
  call('POST', '/api/collections/users/records', {
    as: admin,
    body: { password: PASSWORD, passwordConfirm: PASSWORD, ...body },
  });

async function refuses(body: AnyRow, field: string, code: string): Promise<void> {
  const before = everything();
  const { status, json } = await create(body);
  expect([status, json.data]).toEqual([400, { [field]: expect.objectContaining({ code }) }]);
  expect(everything()).toBe(before);
}

describe('usernames', () => {
  test.each([
    ['a full-width letter', 'ｉdil'],
    ['a dotted capital', 'İdil'],
    ['a dotless letter', 'ıdil'],
    ['a Cyrillic look-alike', 'іdil'],
    ['a composed accent', 'id\u00edl'],
    ['a combined accent', 'idi\u0301l'],
    ['a control character', 'id\u0007il'],
    ['a zero-width joiner', 'id\u200dil'],
    ['a right-to-left mark', 'idil\u202e'],
    ['a line break at the end', 'idil2\n'],
  ])('with %s are refused', (_, username) => refuses({ username }, 'username', 'validation_match_invalid'));

  test.each(['IDIL', 'Idil'])('that differ in case only, as %s, are taken', (username) =>
    refuses({ username }, 'username', 'validation_invalid_username'),
  );
});

describe('e-mail addresses', () => {
  test.each([
    ['full-width letters', 'ｉｄｉｌ@example.com'],
    ['a full-width at', 'idil＠example.com'],
    ['a dotted capital', 'İdil@example.com'],
    ['a Kelvin sign', 'idil@example.com'.replace('d', '\u212a')],
    ['a Cyrillic look-alike in the domain', 'idil@ехample.com'],
    ['a composed accent', 'id\u00edl@example.com'],
    ['a combined accent', 'idi\u0301l@example.com'],
    ['a control character', 'id\u0000il@example.com'],
    ['a line break and a header', 'idil@example.com\r\nBcc: x@example.com'],
    ['a space', 'idil @example.com'],
  ])('with %s are refused', (_, email) => refuses({ email }, 'email', 'validation_is_email'));

  test.each(['IDIL@example.com', 'idil@EXAMPLE.com'])('that differ in case only, as %s, are taken', (email) =>
    refuses({ email }, 'email', 'validation_invalid_email'),
  );

  test('that two ask for at once go to one; the other is told by the field', async () => {
    const email = `${newId()}@example.com`;
    const answers = await Promise.all([create({ email }), create({ email: email.toUpperCase() })]);
    const refused = answers.filter(({ status }) => status === 400);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(refused[0]!.json.data).toEqual({ email: expect.objectContaining({ code: 'validation_invalid_email' }) });
  });
});
