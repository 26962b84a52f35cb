import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // A file that fails in CI is run once more, and told as flaky.
  retries: process.env.CI === 'true' ? 2 : 0,
  // Two files at once where no engine takes part. With one, a container that starts brings the machine a network interface, and
  // Chromium then drops what is under way in every window (net::ERR_NETWORK_CHANGED): those run by themselves, after the others.
  workers: 2,
  projects: [
    { name: 'console', testMatch: '**/*.e2e.ts', testIgnore: '**/*.engine.e2e.ts' },
    { name: 'engine', testMatch: '**/*.engine.e2e.ts', workers: 1, dependencies: ['console'] },
  ],
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
