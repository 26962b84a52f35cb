import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createPerson } from '../setup/world';

openPrivateDatabase();

let admin: Awaited<ReturnType<typeof createPerson>>;
const RECORDS = '/api/collections/settings/records';
const put = (key: string, value: unknown) => call('POST', RECORDS, { as: admin, body: { key, value } });
const problem = (message: string) => ({ code: 'validation_invalid_value', message });

beforeAll(async () => {
  admin = await createPerson({ isAdmin: true });
});

describe('a setting takes only what it can be', () => {
  const plain = 'Use a plain address: a host, a port and a path of letters, digits and . _ ~ % -.';
  const http = 'Enter an address that begins with https:// or http://.';
  test.each([
    ['serviceServer', 'nope', problem('Must be an object.')],
    ['serviceServer', { endpointUrl: 'nope' }, { endpointUrl: problem(http) }],
    ['serviceServer', { endpointUrl: 'https://example.org/?a' }, { endpointUrl: problem(plain) }],
    ['serviceServer', { endpointUrl: 'https://me:secret@example.org' }, { endpointUrl: problem(http) }],
    ['cache', { lifetime: -1 }, { lifetime: problem('Must not be negative.') }],
    ['cache', { directory: '../etc' }, { directory: expect.objectContaining({ message: expect.any(String) }) }],
    ['cache', { size: 5 }, { size: { code: 'validation_unknown_field', message: 'Unknown field "size".' } }],
    ['forwardAuth', { authCookie: 'a b' }, { authCookie: expect.objectContaining({ message: expect.any(String) }) }],
    [
      'forwardAuth',
      { authCookie: 'same', csrfCookie: 'same' },
      { csrfCookie: problem('The two cookies need different names.') },
    ],
    ['forwardAuth', { insecureCookies: 'yes' }, { insecureCookies: problem('Must be true or false.') }],
    ['forwardAuth', { ports: [70_000] }, { ports: { 0: problem('Port must be between 1 and 65535.') } }],
    ['forwardAuth', { lifetime: 0 }, { lifetime: expect.objectContaining({ message: expect.any(String) }) }],
    [
      'forwardAuth',
      { entries: [{ name: 'Berth', address: 'https://auth.example.org', authResponseHeaders: ['a b'] }] },
      {
        entries: {
          0: {
            name: problem('This is the name of the console’s own.'),
            authResponseHeaders: { 0: problem("A header's name has letters, digits and dashes.") },
          },
        },
      },
    ],
    ['forwardAuth', { entries: [{ name: 'a' }] }, { entries: { 0: { address: problem('Cannot be blank.') } } }],
    [
      'recommendationServers',
      {
        servers: [
          { name: 'a', url: 'https://a.example.org' },
          { name: 'b', url: 'https://A.example.org' },
        ],
      },
      { servers: { 1: { url: problem('This is there twice.') } } },
    ],
  ])('%s: %j', async (key, value, refusal) => {
    const { status, json } = await put(key, value);
    expect([status, json.data]).toEqual([400, { value: refusal }]);
  });

  test.each([
    ['serviceServer', { endpointUrl: '' }],
    ['cache', { directory: '/var/cache/berth', lifetime: 60 }],
    ['forwardAuth', { entries: [{ name: 'agent', address: 'https://auth.example.org/check' }] }],
    ['recommendationServers', { servers: [{ name: 'official', url: 'https://tips.example.org' }] }],
  ])('%s: %j is taken', async (key, value) => {
    expect(await put(key, value)).toMatchObject({ status: 200, json: { key, value } });
  });
});
