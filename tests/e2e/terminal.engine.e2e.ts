import { expect, test, type Browser, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { BASE_IMAGE, docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import { admin, buildImage, cleanHost, containersOf, PASSWORD, reaches, request, setUp } from '../setup/journey';
import { expectAccessible, logIn, openWindow, type WatchedPage } from './browser';

/** A terminal as a person uses it, on a real engine. The steps build on each other. */
test.describe.configure({ mode: 'serial' });
test.skip(!engineIsThere(), 'needs a Docker engine');

let berth: ConsoleProcess;
let agent: JoinedAgent;
let watched: WatchedPage;
let page: Page;
let pb: PocketBase;
let hostId: string;
let id: string;

test.beforeAll(async ({ browser }) => {
  await ensureBaseImage();
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
  pb = await setUp(berth.url);
  // A process of its own, which lives on while the console is started anew.
  agent = await startAgent(berth.url, { pb, name: 'far' });
  hostId = await eventually('the host is online', async () => {
    const [host] = await pb.collection('hosts').getFullList();
    return host?.engine?.liveLink ? host.id : undefined;
  });
  const dockerfile = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sh", "-c", "while sleep 1; do echo tick; done"]\n`;
  const image = await buildImage(pb, hostId, { name: 'lab', dockerfile });
  const portMappings = [{ hostPort: 0, containerPort: 8888, protocol: 'tcp' }];
  const fields = { name: 'lab', host: hostId, image: image.id, enabled: true, portMappings };
  ({ id } = await pb.collection('workspaces').create(fields));
  await request(pb, 'workspace', id, 'start');
  await reaches(pb, { collection: 'workspaces', id, status: 'running' });
  watched = await signedIn(browser, admin.username);
  page = watched.page;
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await agent?.dispose();
  await berth?.dispose();
  if (hostId) await cleanHost(hostId);
});

async function signedIn(browser: Browser, identity: string): Promise<WatchedPage> {
  const opened = await openWindow(browser, berth.url);
  await logIn(opened.page, identity);
  return opened;
}

const screen = (on = page) => on.locator('.xterm-rows');
const live = (on = page) => on.getByText(/Only you look on|\d look on/);

async function type(text: string, on = page): Promise<void> {
  await on.locator('.xterm-helper-textarea').focus();
  await on.keyboard.type(text);
  await on.keyboard.press('Enter');
}

async function picture(name: string, on = page): Promise<void> {
  if (process.env.PICTURES) await on.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
}

const processes = async () => {
  const [containerId = ''] = await containersOf(id);
  return docker('top', containerId);
};

test('is offered where it runs, opens a shell, and takes what is typed', async () => {
  await page.goto(`/workspace/${id}`);
  await page.getByRole('button', { name: 'More actions' }).first().click();
  await expect(page.getByRole('menuitem', { name: 'Attach' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Terminal' }).click();
  // What is typed before the shell is there waits for it.
  await page.locator('.xterm-helper-textarea').waitFor({ state: 'attached' });
  await type('echo grüße 你好 $((6 * 7)); tput() { :; }; stty size');
  await expect(screen()).toContainText('grüße 你好 42');
  await type('printf "\\033]0;EVIL\\007\\033]52;c;RVZJTA==\\007\\033[38;5;208morange\\033[0m\\n"');
  await expect(screen()).toContainText('orange');
  expect(await page.title()).not.toContain('EVIL');
  await picture('terminal-light');
  await expectAccessible(page);
});

test('comes back after a reload with what was there', async () => {
  await expect(page).toHaveURL(/session=[A-Za-z0-9]{32}/);
  await type('X=kept');
  await page.reload();
  await expect(screen()).toContainText('grüße 你好 42');
  await expect(live()).toBeVisible();
  await type('echo [$X]');
  await expect(screen()).toContainText('[kept]');
});

test('a paste of 1 MB arrives whole', async () => {
  await type('stty -icanon -echo; head -c 1000000 | wc -c | sed s/^/got/; stty sane');
  await page.waitForTimeout(500);
  await page.locator('.xterm-helper-textarea').evaluate((area) => {
    const data = new DataTransfer();
    data.setData('text/plain', 'abcdefghij'.repeat(100_000));
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  });
  await expect(screen()).toContainText('got1000000', { timeout: 20_000 });
});

test('shows to a second viewer what comes from now on, and both see who looks on', async ({ browser }) => {
  const other = await pb.collection('users').create({
    username: 'priya',
    name: 'Priya Nair',
    email: 'priya@example.org',
    password: PASSWORD,
    passwordConfirm: PASSWORD,
  });
  await pb.collection('workspace_permissions').create({ user: other.id, workspace: id, attach: true });
  const second = await signedIn(browser, 'priya');
  await type('echo typed-sec""ret');
  await expect(screen()).toContainText('typed-secret');
  await second.page.goto(page.url());
  await expect(live(second.page)).toBeVisible();
  await expect(page.getByText(/2 look on/)).toContainText('Priya Nair');
  await type('clear; echo for-bo""th');
  await expect(screen(second.page)).toContainText('for-both');
  expect(await screen(second.page).textContent()).not.toContain('typed-secret');
  const rights = await pb.collection('workspace_permissions').getFirstListItem(`user="${other.id}"`);
  await pb.collection('workspace_permissions').update(rights.id, { attach: false, view: true });
  await expect(second.page.getByText('You may no longer use this terminal.').first()).toBeVisible();
  await second.page.goto(`/workspace/${id}/exec`);
  await expect(second.page.getByText('No terminal for you here')).toBeVisible();
  second.expectQuiet();
  await second.page.close();
});

test('finds text, leads out by the keyboard, and opens the published port', async () => {
  await type('clear; echo needle; echo http://localhost:8888/lab?token=a; echo http://localhost:1234/');
  await expect(screen()).toContainText('localhost:1234');
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+F6');
  const search = page.getByRole('textbox', { name: 'Search the terminal' });
  await expect(search).toBeFocused();
  await search.fill('needle');
  await expect(page.getByText(/[12] of [12]/)).toBeVisible();
  await search.fill('');
  const popup = page.context().waitForEvent('page');
  await clickText('http://localhost:8888');
  const opened = await popup;
  const { observedPorts } = await pb.collection('workspaces').getOne(id);
  expect(opened.url() === 'about:blank' ? opened.url() : new URL(opened.url()).port).toMatch(
    new RegExp(`^(about:blank|${(observedPorts as { hostPort: number }[])[0]!.hostPort}|)$`),
  );
  await opened.close();
  await clickText('http://localhost:1234');
  await expect(page.getByText('Port 1234 of the container is not published.')).toBeVisible();
});

/** Clicks in the middle of the last place where the terminal shows the text. */
async function clickText(text: string): Promise<void> {
  const box = (await page.locator('.xterm-rows > div', { hasText: text }).last().boundingBox({ timeout: 5000 }))!;
  await page.mouse.move(box.x + 60, box.y + box.height / 2);
  await page.mouse.move(box.x + 64, box.y + box.height / 2);
  await page.waitForTimeout(300);
  await page.mouse.click(box.x + 64, box.y + box.height / 2);
}

test('asks before it opens an address that hides behind other words', async () => {
  await type('clear; printf "\\033]8;;http://example.org/hidden\\007click-%s\\033]8;;\\007\\n" this-please');
  await expect(screen()).toContainText('click-this-please');
  await page.waitForTimeout(200);
  await clickText('click-this-please');
  await expect(page.getByRole('dialog')).toContainText('http://example.org/hidden');
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('ends with the session, and leaves no process', async () => {
  await type('sleep 4000 & sleep 4001');
  await expect.poll(processes).toMatch(/sleep 4000[^]*sleep 4001/);
  await page.getByRole('button', { name: 'End session' }).click();
  await expect(page.getByText('The session has ended.')).toBeVisible();
  await expect.poll(processes, { timeout: 15_000 }).not.toMatch(/sleep 400|ash/);
  await picture('terminal-ended');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New terminal' }).click();
  await expect(live()).toBeVisible();
  await type('exit 3');
  await expect(page.getByText('The session has ended with code 3.')).toBeVisible();
});

test('asks what to run where the address does not say, also on a narrow page and in the dark', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/workspace/${id}/exec`);
  await expectAccessible(page);
  await picture('terminal-form-narrow');
  await page.getByLabel('Command').fill('id; pwd; cat');
  await page.getByLabel('Folder').fill('/tmp');
  await page.getByRole('button', { name: 'Open terminal' }).click();
  await expect(screen()).toContainText('/tmp');
  await expect(page).toHaveURL(/command=id/);
  await page.evaluate(() => document.body.classList.add('dark'));
  await expectAccessible(page);
  await picture('terminal-narrow-dark');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'End session' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await picture('terminal-dark');
});

test('attaches to the process of the container', async () => {
  await page.goto(`/workspace/${id}/attach`);
  await expect(screen()).toContainText('tick');
  await expect(page.getByRole('button', { name: 'Detach' })).toBeEnabled();
  await picture('terminal-attach');
});

test('goes on by itself after a restart of the console, with what was missed', async ({ browser }) => {
  await page.goto('about:blank');
  const far = await signedIn(browser, admin.username);
  await far.page.goto(`/workspace/${id}/exec?command=`);
  await expect(live(far.page)).toBeVisible();
  await type('X=still-here; echo go""ing; sleep 3; echo mis""sed', far.page);
  await expect(screen(far.page)).toContainText('going');
  await berth.kill('SIGKILL');
  await expect(far.page.getByText(/No connection, trying again in \d+ s/)).toBeVisible();
  await picture('terminal-reconnecting', far.page);
  await expectAccessible(far.page);
  berth = await berth.restart();
  await expect(live(far.page)).toBeVisible({ timeout: 60_000 });
  await expect(screen(far.page)).toContainText('missed');
  await type('echo [$X]', far.page);
  await expect(screen(far.page)).toContainText('[still-here]');
  await far.page.close();
});

test('says that the session is over when the agent was killed, which leaves no process', async ({ browser }) => {
  const far = await signedIn(browser, admin.username);
  await far.page.goto(`/workspace/${id}/exec?command=`);
  await expect(live(far.page)).toBeVisible();
  await type('sleep 4002', far.page);
  await expect.poll(processes).toContain('sleep 4002');
  await agent.kill();
  await expect(far.page.getByText(/No connection, trying again in \d+ s/)).toBeVisible();
  agent.start();
  await expect(far.page.getByText('This session is over.')).toBeVisible({ timeout: 60_000 });
  await expect.poll(processes, { timeout: 15_000 }).not.toMatch(/sleep 400|ash/);
  await far.page.close();
});

test('says in words that WebSockets are blocked', async ({ browser }) => {
  const far = await signedIn(browser, admin.username);
  // As behind a proxy that knows no upgrades: the pages come, sockets don't.
  await far.page.addInitScript(() => {
    const Native = window.WebSocket;
    window.WebSocket = class extends Native {
      constructor(url: string | URL) {
        super(String(url).replace('/api/workspace/', '/nowhere/'));
      }
    };
  });
  await far.page.goto(`/workspace/${id}/exec?command=`);
  await expect(far.page.getByText('WebSockets do not come through')).toBeVisible({ timeout: 20_000 });
  await expectAccessible(far.page);
  await picture('terminal-blocked', far.page);
  await far.page.close();
});
