import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createPerson } from '../setup/world';

openPrivateDatabase();

const PATH = '/api/images/preview';
let person: { id: string };
const preview = (body: unknown) => call('POST', PATH, { as: person, body });

beforeAll(async () => {
  person = await createPerson();
});

describe('a preview', () => {
  it('is what a build would read, and nothing is stored', async () => {
    const environments = [{ name: 'main', packages: [{ manager: 'pypi', name: 'numpy' }] }];
    const { status, json } = await preview({ environments });
    expect(status).toBe(200);
    expect(json.dockerfile).toMatch(/^FROM ubuntu:24\.04\nRUN --mount=type=bind,source=\.berth\/system\.sh/);
    expect(json.files).toContainEqual({ path: '.berth/environments/main.txt', text: 'numpy\n', mode: 0o644 });
    expect((await preview({ environments })).json).toEqual(json);
    expect((await call('GET', '/api/collections/images/records', { as: person })).json.totalItems).toBe(0);
  });

  it('can stand alone', async () => {
    const environments = [{ name: 'main', packages: [{ manager: 'pypi', name: 'numpy' }] }];
    const { json } = await preview({ environments, standalone: true });
    expect(json.files).toEqual([]);
    expect(json.dockerfile).toMatch(/^FROM ubuntu:24\.04 AS recipe\n[^]*'numpy' \\\n/);
  });

  it('tells what is wrong where it is', async () => {
    const startupCommands = [{ command: 'x', environment: 'gone' }];
    expect(await preview({ startupCommands })).toMatchObject({
      status: 400,
      json: { data: { startupCommands: { 0: { environment: { message: 'There is no environment gone.' } } } } },
    });
    for (const [field, value] of Object.entries({
      baseImage: 'A B',
      environments: [{ name: 'a\nRUN id' }],
      channels: ['$(id)'],
      userConfiguration: { name: 'a b' },
      filePaths: ['relative'],
      other: 1,
    })) {
      const { status, json } = await preview({ [field]: value });
      expect([status, Object.keys(json.data as object)], field).toEqual([400, [field]]);
    }
  });

  it('of very many values is refused before it is looked at', async () => {
    const { status, json } = await preview({ environments: [{ name: 'a', packages: Array(100_000).fill({}) }] });
    expect([status, json.message]).toEqual([400, 'The lists may hold no more than 20000 values.']);
    expect((await preview({ environments: [{ name: 'a'.repeat(1_100_000) }] })).status).toBe(413);
  });

  it('is for whoever is logged in', async () => {
    expect((await call('POST', PATH, { body: {} })).status).toBe(401);
  });
});
