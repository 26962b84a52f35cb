import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Db, migrateDatabase, openDatabase } from './database';
import { listMigrations } from './migrations';

/** The migrations that have landed. Add a line with each new one; never change one: data folders were made with it. */
const LANDED = [
  ['0000_init', 'ce4757e4ddeb47fae49d4f521bfb70d5d9598907a2d0171c8ea3d24cb08e9fac'],
  ['0001_accounts', 'fca8081531f7a2e2d7c3322678e95b9020636b023dbbb8deb0f6c767a1297212'],
  ['0002_agent_protocol', '14e10dd57c83b9a46d7f1bab4aa1b0e012e4c578452ef93462b4b17621bfd6a2'],
  ['0003_faults', 'd40c481e98501743cabcc520f8b4b8b30a74b6f48b3b0c3f400235d9cfbee8de'],
  ['0004_exposed_ports', '584290d3d05b099c165d644d7aee11b7c9e9cf40a6dc0d1978f8f77d474e3454'],
  ['0005_observed_container', 'fd9ef5129916e70b62df89a4be3320594f5fe8e8365dea882763c5a03f87c094'],
  ['0006_names', 'dce80161f6bf5d3e18f7df7fe68547baee7f6e2e52c0fb57c69ecf28283c4d36'],
  ['0007_isolation', '894a2e21a77de43be7e3bf8e6cc5ec7dc8a031ede3652154758b5178502209d1'],
  ['0008_health_check', '45704213c0ba7dac3dda1fe19a206912102bbc5db1cb5715814b9950d0feddd7'],
  ['0009_deployment_specs', '8749cf9c967cede3873f4f3cbf11ba852c5abc7d5611ee55640bce45ef9018b9'],
  ['0010_host_address', '5e1e40f7f0fb1c11e0ad467cd2b605f6f069502140df11c499bb3f3ab007374a'],
  ['0011_build_parameters', '6a114156328aab1853291fb25d49214d2a56207dd172610ba9c45725ff178c8e'],
  ['0012_locks', 'd09aef4d8f7a1ee2650e49ba0d3cdc605b8952152c95a1024bdddf5d20ad6e69'],
  ['0013_newer_images', 'e17f2fc27ec483319b464efba7dc78c44a1b6a9f99926a29393ee0bc35a3765c'],
  ['0014_proxy_state', 'b87c1c506b8046343b68ae1394bc3056f5ea6bbe77be708df00b208b0d683cec'],
  ['0015_groups', 'a68bff7695142fd69277dd6a738617514fbd4beabd097d7d7e2289d3715375d9'],
  ['0016_port_shares', '9bb05fd570dc86e647adea9e72f1c085fb0260790080fe41898790d77aaf5a2d'],
  ['0017_volume_backups', '53ec602d9e834152337c2b2c0d39f884cfb2e2867cc32d3bb110748c95109fe9'],
  ['0018_quotas', '04e38b6f424dbb4d4edc6462c2bcdc50c0e4566ded6c8e5b3a70a37e64997065'],
  ['0019_workspace_times', '005230c79bfc22ccecc64df5ef0c073c3901e082e14919f349974109c8f0f602'],
  ['0020_quota_times', 'ceb0671829a5fa7ef867bcd0f059e4a420c6da3ab23017b2d3381ded7331d253'],
  ['0021_tags', '9fb3fc12bc8f707c3597accc793bf00e80943dde7feb1c72a879b34f10a2a34c'],
  ['0022_host_care', 'a04080dcfbbc21b6508b4e6eb262b5583cafc63838415ca38bcced5332259240'],
  ['0023_build_reference', '601c03d5a516be6fbca830b8ea929cf968722957226a7a68e3b3291326738588'],
];

const schemas = path.resolve(import.meta.dirname, '../tests/setup/schemas');
const drizzle = path.resolve(import.meta.dirname, '../drizzle');

/** Every history that a data folder can have: the texts that it was made with, and when each was generated. */
const histories: Record<string, [file: string, when: number][]> = {
  'the first 0000': [[path.join(schemas, '0000-first.sql'), 1795177067153]],
  'the second 0000': [[path.join(schemas, '0000-second.sql'), 1795177973806]],
  'the first 0001': [
    [path.join(drizzle, '0000_init.sql'), 1795181387911],
    [path.join(schemas, '0001-first.sql'), 1795254785787],
  ],
  ...Object.fromEntries(
    listMigrations().map((_, index, all) => {
      const made = all.slice(0, index + 1).map(({ folderMillis }, number): [string, number] => {
        return [path.join(drizzle, `${LANDED[number]![0]}.sql`), folderMillis];
      });
      return [`all up to ${LANDED[index]?.[0]}`, made];
    }),
  ),
};

let dataDir: string;
let opened: Db[] = [];
const open = (name = 'berth.db') => {
  const db = openDatabase(path.join(dataDir, name));
  opened.push(db);
  return db;
};

beforeEach(() => (dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-schema-'))));
afterEach(() => {
  for (const { sqlite } of opened) sqlite.close();
  opened = [];
  fs.rmSync(dataDir, { recursive: true, force: true });
});

function makeBy(sqlite: Database.Database, history: readonly [string, number][]): void {
  sqlite.exec('CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)');
  for (const [file, when] of history) {
    const text = fs.readFileSync(file, 'utf8');
    for (const statement of text.split('--> statement-breakpoint')) sqlite.exec(statement);
    const hash = createHash('sha256').update(text).digest('hex');
    sqlite.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run(hash, when);
  }
  const insert = "INSERT INTO users (id, username, token_key, password_hash) VALUES ('u1', 'mara', 'k', 'h')";
  sqlite.exec(insert);
  sqlite.exec("INSERT INTO workspaces (id, name) VALUES ('w1', 'kept')");
}

/** Tables with their columns and indexes, whatever the order. */
function shapeOf(sqlite: Database.Database): unknown {
  const query = "SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY type, name";
  const made = sqlite.prepare(query).all() as { type: string; name: string }[];
  return made.map((each) => {
    const facts = sqlite.pragma(`${each.type === 'table' ? 'table_info' : 'index_xinfo'}("${each.name}")`);
    const parts = facts as { name: string | null; cid: number }[];
    return [each, parts.map((part) => JSON.stringify({ ...part, cid: 0 })).sort()];
  });
}

describe('the migrations', () => {
  it('are only added: those that landed are as they were', () => {
    const journal = JSON.parse(fs.readFileSync(path.join(drizzle, 'meta/_journal.json'), 'utf8')) as {
      entries: { tag: string }[];
    };
    const present = listMigrations().map(({ hash }, index) => [journal.entries[index]!.tag, hash]);
    expect(present).toEqual(LANDED);
  });

  it.each(Object.entries(histories))('open what was made by %s, and keep what is in it', (_, history) => {
    const db = open();
    makeBy(db.sqlite, history);
    migrateDatabase(db, dataDir);
    const fresh = open('fresh.db');
    migrateDatabase(fresh, dataDir);
    expect(shapeOf(db.sqlite)).toEqual(shapeOf(fresh.sqlite));
    expect(db.sqlite.prepare('SELECT id, username, enabled FROM users').all()).toEqual([
      { id: 'u1', username: 'mara', enabled: 1 },
    ]);
    expect(db.sqlite.prepare('SELECT id, name, generation FROM workspaces').all()).toEqual([
      { id: 'w1', name: 'kept', generation: 0 },
    ]);
    const hashes = db.sqlite.prepare('SELECT hash FROM __drizzle_migrations ORDER BY created_at').pluck().all();
    expect(hashes).toEqual(LANDED.map(([, hash]) => hash));
    migrateDatabase(db, dataDir);
  });

  it('leave a copy of what they change, and none where there is nothing to change', () => {
    const db = open();
    const copy = path.join(dataDir, 'before-upgrade/berth.db');
    makeBy(db.sqlite, histories['the first 0001']!);
    migrateDatabase(db, dataDir);
    const kept = new Database(copy, { readonly: true });
    expect(kept.prepare('SELECT name FROM workspaces').pluck().all()).toEqual(['kept']);
    expect(kept.prepare("SELECT 1 FROM sqlite_master WHERE name = 'audit_action'").get()).toBeDefined();
    kept.close();
    expect(fs.statSync(copy).mode & 0o777).toBe(0o600);
    fs.rmSync(copy);
    migrateDatabase(db, dataDir);
    migrateDatabase(open('fresh.db'), dataDir);
    expect(fs.existsSync(copy)).toBe(false);
  });
});
