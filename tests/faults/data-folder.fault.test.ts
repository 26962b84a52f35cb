import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { setUp } from '../setup/journey';

vi.setConfig({ testTimeout: 60_000 });

const env = { BERTH_LOCAL_AGENT: 'off' };
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-folder-'));
/** The data of a console that was stopped. */
const stopped = path.join(root, 'stopped');
let berth: ConsoleProcess;

beforeAll(async () => {
  berth = await startConsole({ env });
  await setUp(berth.url);
  await berth.kill('SIGTERM');
  fs.cpSync(berth.dataDir, stopped, { recursive: true });
  berth = await berth.restart();
});
afterAll(async () => {
  await berth.dispose();
  fs.rmSync(root, { recursive: true, force: true });
});

function copyOf(folder: string): string {
  const copy = fs.mkdtempSync(path.join(root, 'copy-'));
  fs.cpSync(folder, copy, { recursive: true });
  return copy;
}

/** What a start says that does not get going; fails when it does. */
async function refusalOf(dataDir: string): Promise<string> {
  const started = startConsole({ dataDir, env });
  return started.then(
    async (running) => {
      await running.kill('SIGKILL');
      return 'it started';
    },
    (error: Error) => error.message,
  );
}

describe('a console that can not open its data says why and ends', () => {
  it('where another console uses the folder', async () => {
    expect(await refusalOf(berth.dataDir)).toMatch(/exit 1[^]*Another console uses the data folder/);
    expect((await fetch(`${berth.url}/api/health`)).status).toBe(200);
  });

  it('where the file is no database', async () => {
    const dataDir = copyOf(stopped);
    fs.writeFileSync(
      path.join(dataDir, 'berth.db'),
      'not a database at all, but long enough to be looked at'.repeat(100),
    );
    expect(await refusalOf(dataDir)).toMatch(/exit 1[^]*berth\.db is no database, or was overwritten/);
  });

  it('where the database is damaged', async () => {
    const dataDir = copyOf(stopped);
    const file = fs.openSync(path.join(dataDir, 'berth.db'), 'r+');
    fs.writeSync(file, Buffer.alloc(40_000, 7), 0, 40_000, 60_000);
    fs.closeSync(file);
    expect(await refusalOf(dataDir)).toMatch(/exit 1[^]*The database .*berth\.db is damaged/);
  });

  it.skipIf(process.getuid?.() !== 0)('where the folder is read-only', async () => {
    const dataDir = fs.mkdtempSync(path.join(root, 'mount-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dataDir]);
    try {
      fs.cpSync(stopped, dataDir, { recursive: true });
      execFileSync('mount', ['-o', 'remount,ro', dataDir]);
      expect(await refusalOf(dataDir)).toMatch(/exit 1[^]*The data folder .* can't be written by user 0/);
    } finally {
      execFileSync('umount', [dataDir]);
    }
  });
});

describe.skipIf(process.getuid?.() !== 0)('a database file that can not be written', () => {
  it('is said at the start, which ends', async () => {
    const dataDir = copyOf(stopped);
    const file = path.join(dataDir, 'berth.db');
    execFileSync('mount', ['--bind', file, file]);
    try {
      execFileSync('mount', ['-o', 'remount,bind,ro', file]);
      expect(await refusalOf(dataDir)).toMatch(
        /exit 1[^]*The data folder .* can't be written by user 0.*readonly database/,
      );
    } finally {
      execFileSync('umount', [file]);
    }
  });
});

describe('the database file', () => {
  const usersIn = (file: string) => {
    const sqlite = new Database(file, { readonly: true });
    const names = sqlite.prepare('SELECT username FROM users').pluck().all();
    sqlite.close();
    return names;
  };

  it('holds everything after a clean stop, without a log beside it', () => {
    expect(fs.readdirSync(stopped).filter((name) => name.startsWith('berth.db'))).toEqual(['berth.db']);
    expect(usersIn(path.join(stopped, 'berth.db'))).toEqual(['mara']);
  });

  it('tells when it was copied alone from a running console, and not else', async () => {
    const says = async (dataDir: string) => {
      const started = await startConsole({ dataDir, env });
      await started.kill('SIGKILL');
      const again = await startConsole({ dataDir, env });
      await again.kill('SIGTERM');
      return [started, again].map((each) => each.output().includes('write-ahead log (berth.db-wal) is gone'));
    };
    const alone = copyOf(berth.dataDir);
    for (const name of ['berth.db-wal', 'berth.db-shm']) fs.rmSync(path.join(alone, name), { force: true });
    expect(await says(alone)).toEqual([true, false]);
    expect(await says(copyOf(stopped))).toEqual([false, false]);
  });
});
