import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueToken } from '@/lib/auth/tokens';
import { users } from '@/lib/accounts/collection';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { openShelves, shelves } from '../setup/shelf';
import { createUser } from '../setup/world';

/** What the record API's contract says in so many words, and nothing else asks for. */
openPrivateDatabase();

const PASSWORD = 'Secret123!';
const BOOKS = '/api/collections/books/records';
const shelf = { a: 'shelfaaaaaaaaaa', b: 'shelfbbbbbbbbbb' };
let passwordHash: string;
let person: AnyRow & { id: string };

beforeAll(async () => {
  openShelves();
  passwordHash = await hashPassword(PASSWORD);
  await write((tx) => {
    for (const [name, id] of Object.entries(shelf)) tx.insert(shelves, { id, name } as never);
  });
});
beforeEach(async () => {
  person = await createUser({ passwordHash });
});

const blank = { code: 'validation_required', message: 'Cannot be blank.' };
const coded = (code: string) => expect.objectContaining({ code });
const addBook = (body: AnyRow | FormData) =>
  call('POST', BOOKS, {
    as: person,
    body: body instanceof FormData ? body : { title: 't', ...body },
  });
const changeBook = (id: unknown, body: AnyRow) => call('PATCH', `${BOOKS}/${String(id)}`, { as: person, body });
function formOf(entries: readonly (readonly [string, string | File])[]): FormData {
  const form = new FormData();
  for (const [key, value] of entries) form.append(key, value);
  return form;
}

describe('bodies', () => {
  test.each([null, '', {}, []])('an id of %j makes one', async (id) => {
    const { status, json } = await addBook({ id });
    expect([status, json.id]).toEqual([200, expect.stringMatching(/^[a-z0-9]{15}$/)]);
  });

  test.each([0, false, 123])('an id of %j is one of the wrong length', async (id) => {
    expect((await addBook({ id })).json.data).toEqual({ id: coded('validation_length_invalid') });
  });

  test.each([
    ['NaN', 'validation_nan'],
    ['nan', 'validation_nan'],
    ['-Infinity', 'validation_nan'],
    ['+inf', 'validation_nan'],
  ])('a number of %j is refused', async (pages, code) => {
    expect((await addBook({ pages })).json.data).toEqual({ pages: coded(code) });
    const { json } = await addBook({});
    expect((await changeBook(json.id, { 'pages+': pages })).json.data).toEqual({ pages: coded(code) });
  });

  test.each([
    ['1.5', 1.5],
    ['-2e3', -2000],
    ['.5', 0.5],
    ['0x10', 0],
    [' 5 ', 0],
    ['1e999', 0],
    ['many', 0],
  ])('a number of %j is %d', async (pages, expected) => expect((await addBook({ pages })).json.pages).toBe(expected));

  test('modifiers take a JSON list as text', async () => {
    const { json } = await addBook({ 'shelves+': JSON.stringify([shelf.a, shelf.b]) });
    expect(json.shelves).toEqual([shelf.a, shelf.b]);
    expect((await changeBook(json.id, { 'shelves-': JSON.stringify([shelf.a]) })).json.shelves).toEqual([shelf.b]);
    expect((await changeBook(json.id, { 'shelf+': JSON.stringify([shelf.a, shelf.b]) })).json.shelf).toBe(shelf.b);
    const form = formOf([['shelves+', JSON.stringify([shelf.a])]]);
    const changed = await call('PATCH', `${BOOKS}/${String(json.id)}`, { as: person, body: form });
    expect(changed.json.shelves).toEqual([shelf.b, shelf.a]);
  });

  test('every message of a field ends with a full stop', async () => {
    const message = 'Must be less than 1000000.000000.';
    expect((await addBook({ pages: 1e7 })).json.data).toEqual({
      pages: { code: 'validation_max_number_constraint', message },
    });
  });
});

test('a path that leads nowhere is left out of expand from its first step on', async () => {
  const { json } = await addBook({ shelf: shelf.a, shelves: [shelf.a] });
  const expandOf = async (expand: string) => {
    const { json: shown } = await call('GET', `${BOOKS}/${String(json.id)}?expand=${expand}`, { as: person });
    return Object.keys((shown.expand ?? {}) as AnyRow);
  };
  expect(await expandOf('shelf')).toEqual(['shelf']);
  expect(await expandOf('shelf.nope')).toEqual([]);
  expect(await expandOf('shelf,shelf.nope')).toEqual([]);
  expect(await expandOf('shelf.nope,shelves')).toEqual(['shelves']);
  expect(await expandOf('shelf.books_via_shelf.nope,shelf.books_via_shelf.shelf')).toEqual(['shelf']);
  expect(await expandOf('shelf.books_via_shelf.nope')).toEqual([]);
  expect(await expandOf('shelf..name')).toEqual([]);
  expect(await expandOf('.shelf.')).toEqual(['shelf']);
  const empty = await addBook({ shelves: [shelf.a] });
  const { json: shown } = await call('GET', `${BOOKS}/${String(empty.json.id)}?expand=shelves,shelf.nope`, {
    as: person,
  });
  expect(Object.keys(shown.expand as AnyRow)).toEqual(['shelves']);
});

describe('passwords', () => {
  const change = (body: AnyRow) =>
    call('PATCH', `/api/collections/users/records/${person.id}`, { as: person, body }).then(({ json }) => json.data);
  const isWrongOld = coded('validation_invalid_old_password');

  test.each<[string, AnyRow, AnyRow]>([
    [
      'a weak one, another confirmation, no old one',
      { password: 'x', passwordConfirm: 'y' },
      {
        password: coded('validation_length_out_of_range'),
        passwordConfirm: coded('validation_values_mismatch'),
        oldPassword: blank,
      },
    ],
    [
      'no confirmation',
      { password: 'Fresh456!', oldPassword: 'x' },
      { passwordConfirm: blank, oldPassword: isWrongOld },
    ],
    ['no old one', { password: 'Fresh456!', passwordConfirm: 'Fresh456!' }, { oldPassword: blank }],
    [
      'a confirmation alone',
      { passwordConfirm: 'Fresh456!' },
      { password: blank, passwordConfirm: coded('validation_values_mismatch'), oldPassword: blank },
    ],
    ['the old one alone', { oldPassword: PASSWORD }, { password: blank, passwordConfirm: blank }],
    [
      'the right old one beside a weak one',
      { password: 'x', passwordConfirm: 'x', oldPassword: PASSWORD },
      { password: coded('validation_length_out_of_range') },
    ],
  ])('%s', async (_, body, problems) => {
    const before = new StoreReader().get(users, person.id);
    expect(await change(body)).toEqual(problems);
    expect(new StoreReader().get(users, person.id)).toEqual(before);
  });

  test('a new account is told of both', async () => {
    const admin = await createUser({ isAdmin: true });
    const add = (body: AnyRow) => call('POST', '/api/collections/users/records', { as: admin, body });
    expect((await add({})).json.data).toEqual({ password: blank, passwordConfirm: blank });
    expect((await add({ passwordConfirm: 'x' })).json.data).toEqual({
      password: blank,
      passwordConfirm: coded('validation_values_mismatch'),
    });
  });
});

describe('tokens that are none', () => {
  const forged = (claims: AnyRow) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;
  const tokenProblem = async (path: string, token: string) => {
    const body = { token, password: PASSWORD };
    return ((await call('POST', `/api/collections/users/${path}`, { body })).json.data as AnyRow).token;
  };

  test.each(['x', 'a.b.c', forged({}), forged({ id: 'x', type: 'authRecord' })])(
    '%s names no address',
    async (token) => {
      expect(await tokenProblem('confirm-verification', token)).toEqual(coded('validation_invalid_token_claims'));
      expect(await tokenProblem('confirm-email-change', token)).toEqual(coded('validation_invalid_token_payload'));
    },
  );

  test('one with an address that nobody signed is invalid, and so is one of another purpose', async () => {
    const email = String(person.email);
    const token = forged({ email, newEmail: email });
    expect(await tokenProblem('confirm-verification', token)).toEqual(coded('validation_invalid_token'));
    expect(await tokenProblem('confirm-email-change', token)).toEqual(coded('validation_invalid_token'));
    const account = new StoreReader().get(users, person.id)!;
    const reset = issueToken(account, 'passwordReset', users.id, { email });
    expect(await tokenProblem('confirm-verification', reset)).toEqual(coded('validation_invalid_token'));
  });
});

test('the administration takes an e-mail and says what is wrong with it', async () => {
  const admin = await createUser({ isAdmin: true, passwordHash });
  const signIn = (identity: unknown, password = PASSWORD) =>
    call('POST', '/api/admins/auth-with-password', { body: { identity, password } });
  expect((await signIn(admin.email)).status).toBe(200);
  expect((await signIn(admin.username)).json.data).toEqual({ identity: coded('validation_is_email') });
  expect((await signIn('', '')).json.data).toEqual({ identity: blank, password: blank });
});

describe('multipart bodies', () => {
  const post = (path: string, form: FormData) => call('POST', path, { body: form });

  test('sign in', async () => {
    const signIn = formOf([
      ['identity', String(person.username)],
      ['password', PASSWORD],
    ]);
    expect((await post('/api/collections/users/auth-with-password', signIn)).status).toBe(200);
    const asJson = formOf([['@jsonPayload', JSON.stringify({ identity: person.username, password: PASSWORD })]]);
    expect((await post('/api/collections/users/auth-with-password', asJson)).status).toBe(200);
  });

  test('are read with files passed over, and refused where they are none', async () => {
    const mail = formOf([
      ['photo', new File(['x'], 'x.txt')],
      ['email', 'nope'],
    ]);
    const { json } = await post('/api/collections/users/request-password-reset', mail);
    expect(json.data).toEqual({ email: coded('validation_is_email') });
    const broken = await send('/api/collections/users/auth-with-password', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nbroken',
    });
    expect([broken.status, await broken.json()]).toEqual([
      400,
      { code: 400, message: 'An error occurred while loading the submitted data.', data: {} },
    ]);
  });

  test.each(['a', 'ab'])('subscribe to %s', async (names) => {
    const form = formOf([['clientId', 'nobody'], ...[...names].map((name) => ['subscriptions', name] as const)]);
    expect((await post('/api/realtime', form)).json).toMatchObject({ message: 'Missing or invalid client id.' });
  });
});

describe('files', () => {
  async function served(name: string, content: string | Uint8Array<ArrayBuffer>) {
    const form = formOf([
      ['name', `${name} ${Math.random()}`],
      ['file', new File([content], name)],
    ]);
    const { json } = await call('POST', '/api/collections/files/records', { as: person, body: form });
    const { json: proof } = await call('POST', '/api/files/token', { as: person });
    const answer = await send(`/api/files/files/${String(json.id)}/${String(json.file)}?token=${String(proof.token)}`);
    return { record: json, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  }
  const long = JSON.stringify(Array.from({ length: 900 }, (_, index) => ({ index, text: 'é "x" \\' })));

  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['a.txt', 'Grüße\n', 'text/plain; charset=utf-8'],
    ['empty.txt', '', 'text/plain; charset=utf-8'],
    ['a.json', '{"a":[1,null,"x"]}', 'application/json'],
    ['long.json', long, 'application/json'],
    ['no.json', `[note] ${'x'.repeat(5000)}`, 'text/plain; charset=utf-8'],
    ['broken.json', '{"a":1', 'text/plain; charset=utf-8'],
    ['a.html', ' <!DOCTYPE html><script>alert(1)</script>', 'text/html; charset=utf-8'],
    ['b.txt', '<p>x</p>', 'text/html; charset=utf-8'],
    ['a.xml', '<?xml version="1.0"?><a/>', 'text/xml; charset=utf-8'],
    ['a.bin', new Uint8Array([1, 2, 3, 0, 255]), 'application/octet-stream'],
    ['a.css', 'p { color: red }', 'text/css'],
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['drawing', '<!-- x --><svg></svg>', 'image/svg+xml'],
  ])('%s is served as what it holds, and can do nothing', async (name, content, type) => {
    const { headers, record } = await served(name, content);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename=${String(record.file)}`,
      'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    if (!/css/.test(type)) expect(record.content_type).toBe(type.split(';')[0]);
  });

  test.each([
    ['x.extensionoftwentyfour25', /^x[A-Za-z0-9]{10}_[A-Za-z0-9]{10}\.ensionoftwentyfour25$/],
    ['my.verylongsecondextension.tar', /^my[A-Za-z0-9]{10}_[A-Za-z0-9]{10}\.gsecondextension\.tar$/],
    ['notes.tar.gz', /^notes_[A-Za-z0-9]{10}\.tar\.gz$/],
    ['.profile', /^[A-Za-z0-9]{10}_[A-Za-z0-9]{10}\.profile$/],
    ['page', /^page_[A-Za-z0-9]{10}\.html$/],
  ])('%s keeps of its extension what fits', async (name, stored) => {
    expect((await served(name, '<html>')).record.file).toMatch(stored);
  });
});
