import fs from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import {
  admin,
  buildImage,
  cleanHost,
  containersOf,
  localHost,
  PASSWORD,
  reaches,
  request,
  setUp,
} from '../tests/setup/journey';
import { BASE_IMAGE, docker, ensureBaseImage } from '../tests/setup/docker';
import { startConsole } from '../tests/setup/console-process';
import { median, quantile, report } from './measure';

const LINES = 100_134;
const SCROLL_MS = 5000;
const PIXELS_A_FRAME = 400;
const FRAMES_WANTED = 50;
/** So many lines come while the page follows: 100,000 in some ten seconds. */
const BURSTS = 100;
const LINES_A_BURST = 1000;

interface Frames {
  perSecond: number;
  spansMs: number[];
}

/** A log of 100,134 lines in Chromium, loaded from its end to its first line: frames while it scrolls, and memory. */
export async function benchLogs(): Promise<void> {
  await ensureBaseImage();
  const berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
  });
  let hostId = '';
  try {
    const pb = await setUp(berth.url);
    hostId = (await localHost(pb)).id;
    const more = `for i in $(seq ${BURSTS}); do seq ${LINES_A_BURST}; sleep 0.1; done`;
    const command = `seq ${LINES}; until [ -e /tmp/go ]; do sleep 0.1; done; ${more}; exec sleep 3600`;
    const dockerfile = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sh", "-c", "${command}"]\n`;
    const image = await buildImage(pb, hostId, { name: 'counter', dockerfile });
    const fields = { name: 'counter', host: hostId, image: image.id, enabled: true };
    const { id } = await pb.collection('workspaces').create(fields);
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });

    const page = await browser.newPage({ baseURL: berth.url, viewport: { width: 1440, height: 900 } });
    await signIn(page);
    await page.goto(`/workspace/${id}/logs`);
    const idle = await measureFrames(page, 0);
    await page.getByText(LINES.toLocaleString('en')).first().waitFor();
    const [container = ''] = await containersOf(id);
    await docker('exec', container, 'touch', '/tmp/go');
    const following = await measureFrames(page, 0, 2 * SCROLL_MS);
    report(
      `following ${(BURSTS * LINES_A_BURST).toLocaleString('en')} lines as they come`,
      `${following.perSecond.toFixed(0)} frames/s, 99 % within ${quantile(following.spansMs, 0.99).toFixed(0)} ms`,
      `over ${FRAMES_WANTED} frames/s`,
      following.perSecond > FRAMES_WANTED,
    );
    await page.reload();
    const before = { heapMb: await heapMb(page), serverMb: rssMb(berth.pid) };
    const fromMs = performance.now();
    await loadAll(page);
    const loadMs = performance.now() - fromMs;
    const after = { heapMb: await heapMb(page), serverMb: rssMb(berth.pid) };
    const scrolled = await measureFrames(page, PIXELS_A_FRAME);
    const shown = `${scrolled.perSecond.toFixed(0)} frames/s, ${(scrolled.perSecond / idle.perSecond).toFixed(2)} of a page at rest`;
    const slow = `median ${median(scrolled.spansMs).toFixed(1)} ms, 99 % within ${quantile(scrolled.spansMs, 0.99).toFixed(0)} ms`;
    report(
      `scrolling ${LINES.toLocaleString('en')} lines`,
      `${shown}; ${slow}`,
      `over ${FRAMES_WANTED} frames/s`,
      scrolled.perSecond > FRAMES_WANTED,
    );
    report(
      'loading them all',
      `${(loadMs / 1000).toFixed(1)} s, browser heap ${before.heapMb.toFixed(0)} → ${after.heapMb.toFixed(0)} MB`,
      'under 150 MB',
      after.heapMb < 150,
    );
    const grown = after.serverMb - before.serverMb;
    report(
      'console and agent meanwhile',
      `${before.serverMb.toFixed(0)} MB + ${grown.toFixed(0)} MB`,
      'at most 60 MB more',
      grown < 60,
    );
  } finally {
    await browser.close();
    await berth.dispose();
    if (hostId) await cleanHost(hostId);
  }
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(admin.username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

async function loadAll(page: Page): Promise<void> {
  const area = page.getByRole('log');
  const older = page.getByRole('button', { name: /^Load .* older$/ });
  const beginning = page.getByText('The log begins here');
  for (;;) {
    await area.evaluate((element) => element.scrollTo(0, 0));
    await older.or(beginning).first().waitFor();
    if (await beginning.isVisible()) return;
    const left = page.getByText(/older lines? (?:is|are) not loaded/);
    const before = await left.textContent();
    await older.click();
    await left
      .filter({ hasNotText: before ?? '' })
      .or(beginning)
      .first()
      .waitFor();
  }
}

/** Runs in the page, as text: a compiled function refers to helpers that the page lacks. */
const SCROLL = `(step, forMs) => new Promise((resolve) => {
  const area = document.querySelector('[role=log]');
  const spansMs = [];
  const fromMs = performance.now();
  let last = fromMs;
  if (step > 0) area?.scrollTo(0, 0);
  requestAnimationFrame(function frame(nowMs) {
    spansMs.push(nowMs - last);
    last = nowMs;
    if (step > 0) area?.scrollBy(0, step);
    if (nowMs - fromMs < forMs) requestAnimationFrame(frame);
    else resolve({ perSecond: (spansMs.length - 1) / ((nowMs - fromMs) / 1000), spansMs: spansMs.slice(1) });
  });
})`;

/** Frames while the log scrolls by so many pixels a frame; with 0 it stays where it is. */
function measureFrames(page: Page, pixels: number, forMs = SCROLL_MS): Promise<Frames> {
  return page.evaluate(`(${SCROLL})(${pixels}, ${forMs})`);
}

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
  await session.detach();
  return usedSize / 1024 ** 2;
}

function rssMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
