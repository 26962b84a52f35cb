import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, vi, type MockInstance } from 'vitest';

/** Each test file has its own data folder. */
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-test-'));
process.env.BERTH_DATA_DIR = dataDir;
process.env.BERTH_SECRET ??= 'a secret for tests that nobody else uses';

let consoleError: MockInstance;

beforeEach(() => {
  consoleError = vi.spyOn(console, 'error');
});

/** Anything on console.error is a failure; a test that expects one clears the spy. */
afterEach(() => {
  expect(consoleError.mock.calls).toEqual([]);
  consoleError.mockRestore();
});

afterAll(() => {
  fs.rmSync(dataDir, { recursive: true, force: true });
});
