import { beforeAll, describe, expect, test } from 'vitest';
import { collections } from '@/lib/api/collections';
import type { AnyRow, Collection } from '@/lib/records/collection';
import { StoreReader } from '@/lib/records/transaction';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { everything } from '../setup/snapshot';
import { ACTIONS, openWorld, personOf, ROLES, scenarios, type Action, type Role, type Scenario } from './scenarios';

openPrivateDatabase();

beforeAll(openWorld);

interface Attempt {
  collection: Collection;
  scenario: Scenario;
  row: AnyRow;
  as: { id: string } | undefined;
}

const addressOf = ({ name }: Collection, row?: AnyRow) =>
  `/api/collections/${name}/records${row ? `/${String(row.id)}` : ''}`;
const stored = ({ collection, row }: Attempt) =>
  new StoreReader().get(collection, String(row.id)) as AnyRow | undefined;

/** Each answers whether the call had its effect, and refuses any other answer than the ones for yes and no. */
const attempts: Record<Action, (attempt: Attempt) => Promise<boolean>> = {
  async list({ collection, row, as }) {
    const filter = encodeURIComponent(`id = '${String(row.id)}'`);
    const { status, json } = await call('GET', `${addressOf(collection)}?filter=${filter}`, { as });
    if (status === 403) return false;
    expect(status).toBe(200);
    const ids = (json.items as AnyRow[]).map(({ id }) => id);
    expect([json.totalItems, ids]).toEqual(ids.length === 0 ? [0, []] : [1, [row.id]]);
    return ids.length === 1;
  },
  async view({ collection, row, as }) {
    const { status, json } = await call('GET', addressOf(collection, row), { as });
    if (status === 200) expect(json.id).toBe(row.id);
    else expect([status, json.data]).toEqual([404, {}]);
    return status === 200;
  },
  async create({ collection, scenario, as }) {
    const { status, json } = await call('POST', addressOf(collection), { as, body: scenario.body() });
    if (status !== 200) expect([400, 403]).toContain(status);
    else expect(new StoreReader().get(collection, String(json.id))).toBeDefined();
    return status === 200;
  },
  async update(attempt) {
    const { collection, scenario, row, as } = attempt;
    const change = scenario.change();
    const { status, json } = await call('PATCH', addressOf(collection, row), { as, body: change });
    if (status === 200) expect([json, stored(attempt)]).toMatchObject([change, change]);
    else expect([403, 404]).toContain(status);
    return status === 200;
  },
  async delete(attempt) {
    const { status, text } = await call('DELETE', addressOf(attempt.collection, attempt.row), { as: attempt.as });
    if (status === 204) expect([text, stored(attempt)]).toEqual(['', undefined]);
    else expect([403, 404]).toContain(status);
    return status === 204;
  },
};

describe.each(collections.map((each) => [each.name, each as unknown as Collection] as const))(
  '%s',
  (name, collection) => {
    test.each(ACTIONS)('%s is for whom it should be, and changes nothing for others', async (action) => {
      const scenario = scenarios[name]!;
      const did: Role[] = [];
      for (const role of ROLES) {
        const { row, as } = await scenario.make();
        const before = everything();
        const isDone = await attempts[action]({ collection, scenario, row, as: as?.[role] ?? personOf(role) });
        if (isDone) did.push(role);
        if (!isDone || action === 'list' || action === 'view') expect(everything()).toBe(before);
      }
      expect(did).toEqual(ROLES.filter((role) => scenario.may[action].includes(role)));
    });
  },
);

test('every collection has its scenario, for every action', () => {
  expect(Object.keys(scenarios).sort()).toEqual(collections.map(({ name }) => name).sort());
  for (const { may } of Object.values(scenarios)) expect(Object.keys(may).sort()).toEqual([...ACTIONS].sort());
});
