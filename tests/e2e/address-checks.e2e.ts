import { expect, test, type Page } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { type DnsServer, startDnsServer } from '../setup/dns-server';
import { fileProxy } from '../setup/file-proxy';
import { admin, localHost, PASSWORD, setUp } from '../setup/journey';
import { logIn, openWindow, type WatchedPage } from './browser';
import { lookAt } from './forms';

/** Whether addresses open, as the pages of a domain and of a workspace tell it; names are a real name server's. */
test.describe.configure({ mode: 'serial' });

let dns: DnsServer;
let berth: ConsoleProcess;
let pb: PocketBase;
let watched: WatchedPage;
let page: Page;
let host: RecordModel;
let domain: RecordModel;
let workspace: RecordModel;

test.beforeAll(async ({ browser }) => {
  dns = await startDnsServer();
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated', BERTH_DNS_SERVERS: dns.address } });
  pb = await setUp(berth.url);
  host = await localHost(pb);
  await pb.collection('hosts').update(host.id, { address: '127.0.0.9', reverse_proxy: fileProxy });
  domain = await pb.collection('domains').create({ url: 'lab.example.org', host: host.id });
  const image = await pb.collection('images').create({
    name: 'nginx',
    creationType: 'pullAnImage',
    dockerImageName: 'nginx:1',
    build_on: host.id,
  });
  workspace = await pb.collection('workspaces').create({
    name: 'notebook',
    host: host.id,
    image: image.id,
    externalUrls: [
      { scheme: 'https', subdomain: 'notebook', domain: domain.id, port: 8888, authentication: 'none', users: [] },
    ],
  });
  watched = await openWindow(browser, berth.url);
  page = watched.page;
  await logIn(page, admin.username);
});

test.afterEach(() => watched.expectQuiet());

test.afterAll(async () => {
  await page?.context().close();
  await berth?.dispose();
  await dns?.close();
});

const checks = (name: string | RegExp) => page.getByRole('list', { name }).getByRole('listitem');

test('a domain says which record is missing, and that it is there', async () => {
  await page.goto(`/domain/${domain.id}`);
  await page.getByRole('button', { name: 'Run checks' }).click();
  const wildcard = checks('Checks').filter({ hasText: 'DNS, wildcard' });
  await expect(wildcard).toContainText('Add an A record for *.lab.example.org → 127.0.0.9.');
  await expect(wildcard).toContainText('failed');
  await expect(checks('Checks').filter({ hasText: 'Port for https' })).toContainText('The name leads nowhere yet.');
  await lookAt(page, 'domain-checks-missing');
  dns.records.set('*.lab.example.org', ['127.0.0.9']);
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(wildcard).toContainText('leads to 127.0.0.9, where the host is reached.');
  await expect(checks('Checks').filter({ hasText: 'Port for https' })).toContainText('127.0.0.9:443');
  await lookAt(page, 'domain-checks');
});

test('an address of a workspace says what its way is like', async () => {
  await page.goto(`/workspace/${workspace.id}`);
  await page.getByRole('button', { name: 'Check notebook.lab.example.org' }).click();
  const found = checks('Checks of notebook.lab.example.org');
  await expect(found.filter({ hasText: 'DNS' })).toContainText('where the host is reached');
  await expect(found.filter({ hasText: 'Port of the workspace' })).toContainText('The workspace does not run.');
  await lookAt(page, 'workspace-checks');
});

test('both are told in Hungarian, and so are the checks of a host', async ({ browser }) => {
  await pb.collection('users').create({
    ...{
      username: 'dori',
      email: 'dori@example.org',
      name: 'Kovács Dóri',
      language: 'hu',
      verified: true,
      isAdmin: true,
    },
    ...{ password: PASSWORD, passwordConfirm: PASSWORD },
  });
  const theirs = await openWindow(browser, berth.url);
  await logIn(theirs.page, 'dori');
  dns.records.clear();
  await theirs.page.goto(`/domain/${domain.id}`);
  await theirs.page.getByRole('button', { name: 'Ellenőrzés indítása' }).click();
  await expect(theirs.page.getByText('Vegyen fel A rekordot: *.lab.example.org → 127.0.0.9.')).toBeVisible();
  await lookAt(theirs.page, 'domain-checks-hu');
  await theirs.page.goto(`/host/${host.id}`);
  await theirs.page.getByRole('button', { name: 'Ellenőrzés indítása' }).click();
  await expect(theirs.page.getByText('Állapotmappa')).toBeVisible();
  await lookAt(theirs.page, 'host-checks-hu');
  theirs.expectQuiet();
  await theirs.page.context().close();
});

test('nobody is offered checks who may not ask for them', async ({ browser }) => {
  const nora = await pb.collection('users').create({
    ...{ username: 'nora', email: 'nora@example.org', name: 'Nora Berg', verified: true },
    ...{ password: PASSWORD, passwordConfirm: PASSWORD },
  });
  const held = { user: nora.id };
  await pb.collection('domain_permissions').create({ ...held, domain: domain.id, delete: true });
  await pb.collection('workspace_permissions').create({ ...held, workspace: workspace.id, view: true });
  const theirs = await openWindow(browser, berth.url);
  await logIn(theirs.page, 'nora');
  await theirs.page.goto(`/domain/${domain.id}`);
  await expect(theirs.page.getByText('lab.example.org').first()).toBeVisible();
  await expect(theirs.page.getByRole('button', { name: 'Run checks' })).toHaveCount(0);
  await theirs.page.goto(`/workspace/${workspace.id}`);
  await expect(theirs.page.getByRole('link', { name: /notebook\.lab\.example\.org/ })).toBeVisible();
  await expect(theirs.page.getByRole('button', { name: /^Check / })).toHaveCount(0);
  theirs.expectQuiet();
  await theirs.page.context().close();
});
