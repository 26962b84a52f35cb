import { expect, test, type Browser } from '@playwright/test';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { localHost, PASSWORD, reaches, request, setUp } from '../setup/journey';
import { expectAccessible, expectReadable, logIn, openWindow, type WatchedPage } from './browser';

/** Every page, in both themes and on a phone: axe finds nothing, the browser complains of nothing. Pictures go to test-results/pages. */
test.describe.configure({ mode: 'default' });

const FOLDER = 'test-results/pages';
const LARGE = { width: 1280, height: 800 };
const SMALL = { width: 390, height: 844 };

interface World {
  host: RecordModel;
  image: RecordModel;
  workspace: RecordModel;
  member: RecordModel;
  group: RecordModel;
}

/** Name of the picture, and where the page is. */
type Pages = Readonly<Record<string, (world: World) => string>>;

const FOR_EVERYBODY: Pages = {
  home: () => '/',
  workspaces: () => '/workspaces',
  'workspace-overview': ({ workspace }) => `/workspace/${workspace.id}`,
  'workspace-settings': ({ workspace }) => `/workspace/${workspace.id}?tab=settings`,
  'workspace-activity': ({ workspace }) => `/workspace/${workspace.id}?tab=activity`,
  'workspace-logs': ({ workspace }) => `/workspace/${workspace.id}/logs`,
  'logs-side-by-side': ({ workspace }) => `/workspaces/logs?ids=${workspace.id}`,
  'logs-of-none': () => '/workspaces/logs',
  'workspace-files': ({ workspace }) => `/workspace/${workspace.id}/files?path=/home`,
  'workspace-terminal-asked': ({ workspace }) => `/workspace/${workspace.id}/exec`,
  'workspace-terminal': ({ workspace }) => `/workspace/${workspace.id}/exec?command=`,
  'workspace-attached': ({ workspace }) => `/workspace/${workspace.id}/attach`,
  templates: () => '/templates',
  'workspace-templates': () => '/workspaces/templates',
  'image-templates': () => '/images/templates',
  images: () => '/images',
  'image-overview': ({ image }) => `/image/${image.id}`,
  'image-general': ({ image }) => `/image/${image.id}?tab=general-settings`,
  'image-build-host': ({ image }) => `/image/${image.id}?tab=build-host`,
  'image-settings': ({ image }) => `/image/${image.id}?tab=image-settings`,
  'image-files': ({ image }) => `/image/${image.id}?tab=files`,
  hosts: () => '/hosts',
  'host-resources': ({ host }) => `/host/${host.id}`,
  'host-settings': ({ host }) => `/host/${host.id}?tab=basic-information`,
  'host-registries': ({ host }) => `/host/${host.id}?tab=registry-auths`,
  'host-timeouts': ({ host }) => `/host/${host.id}?tab=timeouts`,
  'host-workspaces': ({ host }) => `/host/${host.id}?tab=workspaces`,
  volumes: () => '/volumes',
  networks: () => '/networks',
  domains: () => '/domains',
  files: () => '/files',
  'file-create': () => '/files/create',
  profile: () => '/profile',
  'profile-password': () => '/profile?tab=password',
  'profile-external-accounts': () => '/profile?tab=external-accounts',
  'profile-quota': () => '/profile?tab=quota',
  'profile-security': () => '/profile?tab=security',
  verify: () => '/verify/?state=wrong&csrf_token=wrong',
  'nothing-here': () => '/nothing/here',
};

const FOR_ADMINS: Pages = {
  ...FOR_EVERYBODY,
  'workspace-create': ({ image }) => `/workspaces/create?image=${image.id}`,
  'workspace-permissions': ({ workspace }) => `/workspace/${workspace.id}?tab=permissions`,
  'workspace-delete': ({ workspace }) => `/workspace/${workspace.id}?tab=delete`,
  'image-create': () => '/images/create',
  'image-write': () => '/images/create?tab=write',
  'image-template-create': () => '/images/templates/create',
  'image-permissions': ({ image }) => `/image/${image.id}?tab=permissions`,
  'image-delete': ({ image }) => `/image/${image.id}?tab=delete`,
  'host-permissions': ({ host }) => `/host/${host.id}?tab=permissions`,
  'host-delete': ({ host }) => `/host/${host.id}?tab=delete`,
  'volume-create': () => '/volumes/create',
  'network-create': () => '/networks/create',
  'domain-create': () => '/domains/create',
  users: () => '/users',
  'user-create': () => '/users/create',
  'user-account': ({ member }) => `/user/${member.id}`,
  'user-security': ({ member }) => `/user/${member.id}?tab=security`,
  'user-permissions': ({ member }) => `/user/${member.id}?tab=permissions`,
  'user-delete': ({ member }) => `/user/${member.id}?tab=delete`,
  'user-reach': ({ member }) => `/user/${member.id}?tab=reach`,
  'user-quota': ({ member }) => `/user/${member.id}?tab=quota`,
  groups: () => '/groups',
  'group-create': () => '/groups/create',
  'group-general': ({ group }) => `/group/${group.id}`,
  'group-members': ({ group }) => `/group/${group.id}?tab=members`,
  'group-reach': ({ group }) => `/group/${group.id}?tab=reach`,
  'group-quota': ({ group }) => `/group/${group.id}?tab=quota`,
  'group-delete': ({ group }) => `/group/${group.id}?tab=delete`,
  audit: () => '/audit',
  settings: () => '/settings',
  'settings-times': () => '/settings?tab=times',
  'settings-health': () => '/settings?tab=health',
  'settings-backups': () => '/settings?tab=backups',
  'settings-log-in': () => '/settings?tab=sign-in',
  'settings-single-sign-on': () => '/settings?tab=single-sign-on',
  'settings-cache': () => '/settings?tab=cache',
  'settings-service-server': () => '/settings?tab=service-server',
  'settings-forward-auth': () => '/settings?tab=forward-auth',
  'settings-quotas': () => '/settings?tab=quotas',
  'api-reference': () => '/api-reference',
};

const FOR_GUESTS: Pages = {
  login: () => '/login',
  'forgot-password': () => '/forgot-password',
  'confirm-password-reset': () => '/confirm-password-reset/wrong',
  'confirm-email-change': () => '/confirm-email-change/wrong',
  'confirm-verification': () => '/confirm-verification/wrong',
};

let berth: ConsoleProcess;
let world: World;

test.beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  world = await furnish(await setUp(berth.url));
});

test.afterAll(() => berth?.dispose());

async function furnish(pb: PocketBase): Promise<World> {
  const account = { username: 'priya', email: 'priya@example.org', name: 'Priya Nair' };
  const member = await pb.collection('users').create({ ...account, password: PASSWORD, passwordConfirm: PASSWORD });
  const host = await localHost(pb);
  const image = await pb.collection('images').create({
    name: 'lab',
    creationType: 'writeDockerfile',
    dockerfile: 'FROM ubuntu:24.04\nEXPOSE 8888\nRUN echo ready\n',
    build_on: host.id,
    enabled: true,
  });
  await request(pb, 'image', image.id, 'build');
  await reaches(pb, { collection: 'images', id: image.id, status: 'build_finished' });
  const workspace = await pb.collection('workspaces').create({
    name: 'notebook',
    host: host.id,
    image: image.id,
    cpuLimit: 2,
    portMappings: [{ containerPort: 8888, protocol: 'tcp', hostPort: 18888, hostIp: '' }],
    environmentVariables: [{ name: 'MODE', value: 'fast', secret: false }],
    enabled: true,
  });
  await request(pb, 'workspace', workspace.id, 'start');
  await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
  const flags = { user: member.id, view: true, attach: true };
  await pb.collection('workspace_permissions').create({ ...flags, workspace: workspace.id });
  await pb.collection('image_permissions').create({ user: member.id, image: image.id, view: true });
  await pb.collection('host_permissions').create({ user: member.id, host: host.id, view: true });
  const group = await pb.collection('groups').create({ name: 'Course A', description: 'Spring term' });
  await pb.collection('group_members').create({ group: group.id, user: member.id });
  await pb.collection('workspace_permissions').create({ group: group.id, workspace: workspace.id, deploy: true });
  return { host, image, workspace, member, group };
}

function lookAtAll(who: string, pages: Pages, enter: (browser: Browser) => Promise<WatchedPage>): void {
  test.describe(`as ${who}`, () => {
    let watched: WatchedPage;
    test.beforeAll(async ({ browser }) => void (watched = await enter(browser)));
    test.afterAll(() => watched?.page.context().close());

    for (const [name, addressOf] of Object.entries(pages)) {
      test(name, async () => {
        const { page } = watched;
        await page.setViewportSize(LARGE);
        await page.goto(addressOf(world));
        await expect(page.getByRole('heading').first()).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        for (const theme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: theme });
          await page.evaluate((isDark) => document.body.classList.toggle('dark', isDark), theme === 'dark');
          await (theme === 'light' ? expectAccessible(page) : expectReadable(page));
          await page.screenshot({ path: `${FOLDER}/${who}/${name}-${theme}.png` });
        }
        await page.setViewportSize(SMALL);
        await page.evaluate(() => document.body.classList.remove('dark'));
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(tooWide, 'the page is wider than a phone').toBeLessThanOrEqual(0);
        await page.screenshot({ path: `${FOLDER}/${who}/${name}-390.png` });
        watched.expectQuiet();
      });
    }
  });
}

const enterAs = (username: string) => async (browser: Browser) => {
  const watched = await openWindow(browser, berth.url);
  await logIn(watched.page, username);
  return watched;
};

lookAtAll('admin', FOR_ADMINS, enterAs('mara'));
lookAtAll('member', FOR_EVERYBODY, enterAs('priya'));
lookAtAll('guest', FOR_GUESTS, (browser) => openWindow(browser, berth.url));
