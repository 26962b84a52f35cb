// What a run of tests says about its failures, read from the reports that the suites write.

const MESSAGE_LINES = 12;

/** The failed test files of a vitest report, each with its failed tests: `[{ file, tests: [{ name, message }] }]`. */
export function vitestFailures(report) {
  return report.testResults
    .filter((file) => file.status === 'failed')
    .map((file) => {
      const failed = file.assertionResults.filter((test) => test.status === 'failed');
      const tests = failed.map((test) => ({ name: test.fullName, message: test.failureMessages.join('\n') }));
      // A file that could not be loaded has no tests of its own, but it failed.
      return {
        file: file.name,
        tests: tests.length > 0 ? tests : [{ name: '(the file itself)', message: file.message }],
      };
    });
}

/** The same of a Playwright report; `status` is `unexpected` or `flaky`. */
export function playwrightFailures(report, status = 'unexpected') {
  const failures = [];
  const walk = (suite) => {
    for (const child of suite.suites ?? []) walk(child);
    for (const spec of suite.specs ?? []) {
      if (!spec.tests.some((test) => test.status === status)) continue;
      const errors = spec.tests.flatMap((test) => test.results).flatMap((result) => result.errors ?? []);
      failures.push({ file: spec.file, tests: [{ name: spec.title, message: errors[0]?.message ?? '' }] });
    }
  };
  for (const suite of report.suites ?? []) walk(suite);
  return failures;
}

/** Prints them with the first lines of what each test said. */
export function printFailures(title, failures) {
  if (failures.length === 0) return;
  console.log(`\n${title}`);
  for (const { file, tests } of failures) {
    for (const { name, message } of tests) {
      console.log(`  ${file} › ${name}`);
      for (const line of message.split('\n').slice(0, MESSAGE_LINES)) console.log(`      ${line}`);
    }
  }
}
