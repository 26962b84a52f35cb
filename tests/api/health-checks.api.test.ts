import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { getDb } from '@/db/database';
import { env } from '@/lib/env';
import { runLook } from '@/lib/verdict';
import { lookThroughDatabase } from '@/lib/health/look-through';
import { runChecks } from '@/lib/health/run-checks';
import { api, sendApi } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { createDomain, createUser } from '../setup/world';

openPrivateDatabase();

const CALL = '/api/health/checks';
let admin: { id: string };
beforeAll(async () => {
  admin = await createUser({ isAdmin: true });
});

interface Check {
  code: string;
  state: string;
  found: string;
  cure: string;
}

async function look(): Promise<Record<string, Check>> {
  const { json } = await api('GET', CALL, { as: admin });
  return Object.fromEntries((json.checks as Check[]).map((check) => [check.code, check]));
}

describe('the checks', () => {
  test('are for admins alone', async () => {
    expect((await sendApi('GET', CALL)).status).toBe(401);
    expect((await sendApi('GET', CALL, { as: await createUser({}) })).status).toBe(403);
  });

  test('each have a cure where something is to be done, and none where not', async () => {
    const checks = Object.values(await look());
    expect(checks.length).toBeGreaterThan(12);
    for (const { state, cure } of checks) expect(cure !== '').toBe(state === 'warning' || state === 'error');
  });

  test('see what is wrong, and that it is right again', async () => {
    const before = await look();
    expect(before).toMatchObject({ database: { state: 'ok' }, backups: { state: 'warning' }, clock: { state: 'ok' } });
    const key = path.join(env().dataDir, 'secret.key');
    if (fs.existsSync(key)) fs.chmodSync(key, 0o644);
    const own = await createDomain({ url: new URL(env().publicUrl).hostname });
    const { sqlite } = getDb();
    sqlite.exec("INSERT INTO settings (id, key, value) VALUES ('s00000000000001', 'cache', '{\"lifetime\": -5}')");
    sqlite.exec("INSERT INTO audit (id, created) VALUES ('a00000000000001', '2999-01-01 00:00:00.000Z')");
    const wrong = await look();
    expect(wrong).toMatchObject({
      forwardAuth: { state: 'error' },
      settings: { state: 'error', found: expect.stringContaining('cache') as string },
      clock: { state: 'error' },
    });
    if (fs.existsSync(key)) expect(wrong.secretKey!.state).toBe('warning');
    sqlite.exec("DELETE FROM settings WHERE id = 's00000000000001'; DELETE FROM audit WHERE id = 'a00000000000001'");
    sqlite.prepare('DELETE FROM domains WHERE id = ?').run(String(own.id));
    expect(await look()).toMatchObject({ settings: { state: 'ok' }, clock: { state: 'ok' } });
  });

  test('that hang or throw hold nobody up', async () => {
    const started = performance.now();
    const never = await runLook('mail', () => new Promise(() => undefined), 200);
    expect(never).toMatchObject({ code: 'mail', state: 'warning' });
    expect(performance.now() - started).toBeLessThan(2000);
    const thrown = await runLook('mail', () => Promise.reject(new Error('no')));
    expect(thrown).toMatchObject({ state: 'warning', found: 'This could not be looked at: no.' });
  });

  test('end in time over a large database, and tell of a damaged one', async () => {
    const file = path.join(env().dataDir, 'berth.db');
    const kept = `${file}.kept`;
    await getDb().sqlite.backup(kept);
    const large = new Database(kept);
    large.exec('CREATE TABLE large (words TEXT)');
    large.exec(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) ' +
        'INSERT INTO large SELECT hex(randomblob(200000)) FROM n',
    );
    large.close();
    const from = performance.now();
    expect(await lookThroughDatabase(60_000, kept)).toBe('ok');
    const whole = performance.now() - from;
    expect(await lookThroughDatabase(1, kept)).toBeUndefined();
    expect(performance.now() - from - whole).toBeLessThan(1000);
    fs.writeFileSync(kept, 'no database at all '.repeat(1000));
    await expect(lookThroughDatabase(60_000, kept)).rejects.toMatchObject({ code: 'SQLITE_NOTADB' });
    fs.rmSync(kept);
  });

  test('asked for many times at once are made once', async () => {
    let probes = 0;
    const probe = () => Promise.resolve(String((probes += 1)).slice(9));
    const answers = await Promise.all(Array.from({ length: 20 }, () => runChecks(probe)));
    expect(probes).toBe(1);
    expect(new Set(answers).size).toBe(1);
    await runChecks(probe);
    expect(probes).toBe(2);
  });
});
