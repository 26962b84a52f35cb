import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collections } from '@/lib/api/collections';

const root = path.resolve(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && fs.existsSync(path.join(root, file)));
const sources = files.filter((file) => /\.(ts|tsx|mjs|css)$/.test(file));

function linesOf(file: string): number {
  return fs.readFileSync(path.join(root, file), 'utf8').split('\n').length - 1;
}

function isTest(file: string): boolean {
  return file.startsWith('tests/') || /\.test\.tsx?$/.test(file);
}

function textsOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsOf);
}

describe('the source tree', () => {
  it('has one word for logging in, in all that people read', () => {
    const texts = files.filter((file) => file.startsWith('messages/'));
    const words = texts.flatMap((file) => textsOf(JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))));
    expect(words.length).toBeGreaterThan(500);
    expect(words.filter((text) => /\bsign(s|ed|ing)?[- ](in|out)\b/i.test(text))).toEqual([]);
  });

  it('has no file that is too long to hold in mind', () => {
    const tooLong = sources.filter((file) => linesOf(file) > (isTest(file) ? 500 : 300));
    expect(tooLong.filter((file) => !file.startsWith('drizzle/'))).toEqual([]);
  });

  it('names files and folders in kebab-case', () => {
    const inApp = /^app\//;
    const wrong = sources.filter((file) => !inApp.test(file) && /[A-Z]/.test(file));
    expect(wrong).toEqual([]);
  });

  it('has no barrel: no file only hands on what another exports', () => {
    const barrels = sources.filter((file) => /(^|\/)index\.tsx?$/.test(file));
    expect(barrels).toEqual([]);
  });

  it('keeps pages and route files thin', () => {
    const thick = sources.filter((file) => /^app\/.*(page|route)\.tsx?$/.test(file) && linesOf(file) > 60);
    expect(thick).toEqual([]);
  });

  it('knows docker only in its engine folder', () => {
    const outside = sources.filter(
      (file) =>
        !file.startsWith('agent/engines/docker/') &&
        !isTest(file) &&
        !file.startsWith('bench/') &&
        /from 'dockerode'/.test(fs.readFileSync(path.join(root, file), 'utf8')),
    );
    expect(outside).toEqual([]);
  });
});

describe("a collection's table", () => {
  it('is written past the record engine only where its version is moved as well', () => {
    const tables = collections.map(({ map }) => map.name.replaceAll('"', ''));
    const writes = new RegExp(`(?:UPDATE|INTO|DELETE FROM) (?:${tables.join('|')})\\b`);
    const silent = sources.filter((file) => {
      if (!file.startsWith('lib/') || isTest(file)) return false;
      const text = fs.readFileSync(path.join(root, file), 'utf8');
      return writes.test(text) && !text.includes('bumpVersion(');
    });
    expect(silent).toEqual([]);
  });
});

describe('a statement', () => {
  const users = (pattern: RegExp) =>
    sources.filter(
      (file) =>
        /^(?:app|lib|server)[/.]/.test(file) &&
        !isTest(file) &&
        pattern.test(fs.readFileSync(path.join(root, file), 'utf8')),
    );

  it('is kept in one cache', () => {
    const ownKeepers = [
      // Snapshots, which nobody else has open.
      'lib/backups/linked-files.ts',
      'lib/backups/stage-backup.ts',
      // Files of the cache, which are databases of their own.
      'lib/images/packages/list-file.ts',
      'lib/images/packages/list-writer.ts',
      'lib/images/packages/projects.ts',
      'lib/records/reader-thread.ts',
      'lib/records/statements.ts',
      'lib/records/temporary.ts',
    ];
    expect(users(/(?:sqlite|db)\.prepare\b/)).toEqual(ownKeepers);
  });

  it('that writes belongs to a transaction, or to one of those that have their own', () => {
    expect(users(/\bprepareWrite\b/)).toEqual([
      'lib/auth/last-used.ts',
      'lib/records/savepoint.ts',
      'lib/records/statements.ts',
      'lib/records/transaction.ts',
      'lib/stores/rate-limits.ts',
      'lib/stores/request-logs.ts',
    ]);
  });
});

describe.each(collections.map((collection) => [collection.name, collection] as const))(
  'collection %s',
  (_, collection) => {
    it('has a rule for every action and names every field that leaves', () => {
      for (const action of ['list', 'view', 'create', 'update', 'delete'] as const) {
        expect(collection.policy[action], action).toBeDefined();
      }
      expect(collection.output.every((field) => collection.fields.has(field))).toBe(true);
    });

    it('never lets what is secret leave', () => {
      expect(collection.output).not.toContain('passwordHash');
      expect(collection.output).not.toContain('tokenKey');
    });
  },
);

/** Files that must not be, each with the rule that has to find it. */
const planted = {
  'lib/records/planted-upward.ts': {
    text: "import { hosts } from '@/lib/hosts/collection';\nexport const upward = hosts;\n",
    rule: 'import-x/no-restricted-paths',
  },
  'lib/vocabulary/planted-console.ts': {
    text: "import { hostsTable } from '@/db/schema/hosts';\nexport const console = hostsTable;\n",
    rule: 'import-x/no-restricted-paths',
  },
  'lib/planted-room/unknown.ts': {
    text: "import { AppError } from '@/lib/errors';\nexport const unknown = AppError;\n",
    rule: 'import-x/no-restricted-paths',
  },
  'components/planted-area/other-area.tsx': {
    text: "import { HostList } from '@/components/hosts/host-list';\nexport const other = HostList;\n",
    rule: 'import-x/no-restricted-paths',
  },
  'components/ui/planted-server.ts': {
    text: "import { env } from '@/lib/env';\nexport const server = env;\n",
    rule: 'import-x/no-restricted-paths',
  },
  'agent/planted-console.ts': {
    text: "import { nowMs } from '../lib/clock';\nexport const console = nowMs;\n",
    rule: 'import-x/no-restricted-paths',
  },
  'app/planted-store.ts': {
    text: "import { prepare } from '@/lib/records/statements';\nexport const store = prepare;\n",
    rule: 'import-x/no-restricted-paths',
  },
  'lib/hosts/link/planted-one.ts': {
    text: "import { two } from './planted-two';\nexport const one = (): unknown => two;\n",
    rule: 'import-x/no-cycle',
  },
  'lib/hosts/link/planted-two.ts': {
    text: "import { one } from './planted-one';\nexport const two = (): unknown => one;\n",
    rule: 'import-x/no-cycle',
  },
};

describe('the walls', () => {
  const folders = ['lib/planted-room', 'components/planted-area'].map((folder) => path.join(root, folder));
  const found = new Map<string, (string | null)[]>();

  beforeAll(async () => {
    for (const folder of folders) fs.mkdirSync(folder, { recursive: true });
    for (const [file, { text }] of Object.entries(planted)) fs.writeFileSync(path.join(root, file), text);
    const results = await new ESLint({ cwd: root }).lintFiles(Object.keys(planted));
    for (const { filePath, messages } of results) {
      found.set(
        path.relative(root, filePath),
        messages.map(({ ruleId }) => ruleId),
      );
    }
  });

  afterAll(() => {
    for (const file of Object.keys(planted)) fs.rmSync(path.join(root, file), { force: true });
    for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.entries(planted).map(([file, { rule }]) => [file, rule] as const))('stop %s', (file, rule) => {
    expect(found.get(file)).toContain(rule);
  });
});
