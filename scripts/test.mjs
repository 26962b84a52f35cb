// `npm test`: from a fresh clone to every suite run. Ends with `N passed, N failed`, summed over all of them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { childEnv, ensureBuilt, ensureInstalled, root } from './toolchain.mjs';

const isCi = process.env.CI === 'true';
const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-reports-'));

ensureInstalled();
ensureBuilt();

const totals = { passed: 0, failed: 0, skipped: 0 };

function runSuite(name, command, args, report, count, env = {}) {
  console.log(`\n— ${name} —`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: childEnv(env) });
  const counted = fs.existsSync(report)
    ? count(JSON.parse(fs.readFileSync(report, 'utf8')))
    : { passed: 0, failed: 1, skipped: 0 };
  if (status !== 0 && counted.failed === 0) counted.failed = 1;
  for (const key of Object.keys(totals)) totals[key] += counted[key];
}

function countVitest(report) {
  // A file that could not be loaded has no tests of its own, but it failed.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests,
  };
}

function countPlaywright({ stats }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

const unitReport = path.join(reports, 'vitest.json');
runSuite(
  'unit, API, agent and engine tests',
  'npx',
  ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`],
  unitReport,
  countVitest,
);

if (fs.existsSync(chromium)) {
  const browserReport = path.join(reports, 'playwright.json');
  runSuite('browser tests', 'npx', ['playwright', 'test', '--reporter=list,json'], browserReport, countPlaywright, {
    PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport,
    CHROMIUM_PATH: chromium,
  });
} else {
  console.log(`\n!!! No Chromium at ${chromium}: the browser tests are SKIPPED. Set CHROMIUM_PATH to run them.`);
  totals[isCi ? 'failed' : 'skipped'] += 1;
}

if (isCi && totals.skipped > 0) {
  console.log(`\n${totals.skipped} skipped: in CI that is a failure.`);
  totals.failed += totals.skipped;
}
fs.rmSync(reports, { recursive: true, force: true });
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 ? 0 : 1);
