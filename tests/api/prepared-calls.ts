import { generateKeyPairSync } from 'node:crypto';
import sharp from 'sharp';
import { users } from '@/lib/accounts/collection';
import { externalAuths } from '@/lib/accounts/external-auths';
import { issueToken, type TokenPurpose } from '@/lib/auth/tokens';
import { createBackup } from '@/lib/backups/create-backup';
import { isBackupRunning } from '@/lib/backups/turn';
import { domains } from '@/lib/domains/collection';
import { env } from '@/lib/env';
import { hosts } from '@/lib/hosts/collection';
import { putUnknown } from '@/lib/hosts/link/unknown-objects';
import { newId } from '@/lib/ids';
import { builds } from '@/lib/images/builds';
import { insertCheck } from '@/lib/images/check/kept-checks';
import { images } from '@/lib/images/collection';
import { keepLock } from '@/lib/images/locks/kept-locks';
import { readLockText } from '@/lib/images/locks/lock-text';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { requestLogs } from '@/lib/stores/request-logs';
import { api, sendApi, type ApiCall } from '../setup/api';
import { authorizationOf } from '../setup/call';
import { eventually } from '../setup/console-process';
import { listen } from '../setup/listener';
import type { OidcServer } from '../setup/oidc-server';
import { signInPage } from '../setup/page-session';
import { enableTotp, nextCode, PASSWORD } from '../setup/second-factor';
import { SoftwareAuthenticator } from '../setup/software-authenticator';
import { askedOfVisitor, visitorInside } from '../setup/visitor';
import { createDomain, createUser, createVolume } from '../setup/world';
import { pack } from 'tar-stream';
import { allowHostTerminal, createImage } from './factories';
import { reverseProxySchema } from '@/lib/vocabulary/host-schemas';
import { wantedSpec } from '@/lib/workspaces/changes';
import { workspaces } from '@/lib/workspaces/collection';
import { openDeployment } from '@/lib/workspaces/deployment-log';
import { beginMaintenance } from '@/lib/workspaces/maintenance/change-maintenance';
import { volumes } from '@/lib/volumes/collection';
import { keepSpec } from '@/lib/workspaces/kept-specs';

/** What a call is made with, where it is not the path as it stands, the example, and the caller of its kind. */
export interface Prepared extends Omit<ApiCall, 'body'> {
  /** Values of the path's `:name` parts. */
  params?: Record<string, string>;
  query?: string;
  /** Instead of the example. */
  body?: unknown;
}

/** What the calls are about. */
export interface World {
  /** The first account, made by the example of the set-up. */
  ada: { id: string };
  oidc: OidcServer;
  workspaceId: string;
  imageId: string;
}

type Prepare = (world: World, example: AnyRow) => Prepared | Promise<Prepared>;

const USERS = 'POST /api/collections/:collection';
const OWN_PAGES = { 'sec-fetch-site': 'same-origin' };
const site = { origin: env().publicUrl, rpId: new URL(env().publicUrl).hostname };

const accountOf = ({ id }: { id: string }) => new StoreReader().get(users, id)!;
/** As after a log-in a moment ago. */
const proven = () => ({ at: Math.floor(Date.now() / 1000) });
const adminToken = ({ ada }: World) => issueToken(accountOf(ada), 'adminAuth', users.id, proven());

function tokenFor(world: World, purpose: TokenPurpose, claims: AnyRow = {}): string {
  const account = accountOf(world.ada);
  return issueToken(account, purpose, users.id, { email: account.email, ...proven(), ...claims });
}

/** Somebody new who has the password of the examples. */
const newcomer = async (overrides: AnyRow = {}) =>
  createUser({ passwordHash: await hashPassword(PASSWORD), ...overrides });

/** A mailed token of somebody new: what it is for ends tokens. */
async function mailed(purpose: TokenPurpose, example: AnyRow, claims: AnyRow = {}): Promise<Prepared> {
  const account = accountOf(await newcomer({ isAdmin: true }));
  const token = issueToken(account, purpose, users.id, { email: account.email, ...proven(), ...claims });
  return { body: { ...example, token } };
}

async function withBackup(world: World, name: string): Promise<Prepared> {
  await createBackup(name);
  return { params: { key: name }, headers: { authorization: adminToken(world) } };
}

/** The same, as the page asks for it. */
async function onPage({ ada: as }: World, name: string): Promise<Prepared> {
  await eventually('no backup is under way', () => !isBackupRunning());
  await createBackup(name);
  return { as, params: { key: name }, body: { name, password: PASSWORD } };
}

async function withPasskey(): Promise<{ as: { id: string }; key: SoftwareAuthenticator; id: string }> {
  const as = await newcomer();
  const { body, key } = await answeredOptions(as);
  const { json } = await api('POST', '/api/passkeys', { as, body });
  return { as, key, id: String(json.id) };
}

async function answeredOptions(as: { id: string }) {
  const key = new SoftwareAuthenticator(site);
  const { json } = await api('POST', '/api/passkeys/options', { as, body: { password: PASSWORD } });
  const { challenge, user } = json as { challenge: string; user: { id: string } };
  return { key, body: { name: 'Laptop', response: key.create({ challenge, userHandle: user.id }) } };
}

async function pendingSignIn(): Promise<Prepared> {
  const someone = await newcomer();
  const { secret } = await enableTotp(someone);
  const body = { identity: someone.username, password: PASSWORD };
  const { json } = await api('POST', '/api/collections/users/auth-with-password', { body });
  return { body: { pendingToken: (json.data as AnyRow).pendingToken, code: nextCode(secret) } };
}

function providerOf({ oidc }: World): AnyRow {
  const addresses = { authUrl: `${oidc.url}/auth`, tokenUrl: `${oidc.url}/token`, userInfoUrl: `${oidc.url}/me` };
  return { clientId: 'berth', clientSecret: 'hush', ...addresses };
}

async function startTotp(): Promise<{ as: { id: string }; secret: string }> {
  const as = await newcomer();
  const { json } = await api('POST', '/api/second-factor/totp', { as, body: { password: PASSWORD } });
  return { as, secret: String(json.secret) };
}

async function withTotp(): Promise<Prepared> {
  const as = await newcomer();
  await enableTotp(as);
  return { as };
}

async function linked(): Promise<Prepared> {
  const as = await newcomer();
  await write((tx) => tx.insert(externalAuths, { recordId: as.id, provider: 'oidc', providerId: as.id }));
  return { as, params: { id: as.id, provider: 'oidc' } };
}

/** A volume of the host that answers. */
async function onVolume({ ada: as, workspaceId }: World, prepared: Prepared = {}): Promise<Prepared> {
  const { host } = new StoreReader().get(workspaces, workspaceId)!;
  const volume = await createVolume({ host, status: 'created' });
  return { as, params: { id: String(volume.id) }, ...prepared };
}

const OCTETS = 'application/octet-stream';

/** A small tar, as text: all of it is ASCII. */
async function tarText(): Promise<string> {
  const archive = pack();
  archive.entry({ name: 'a.txt' }, 'hello');
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
}

async function onUpload(world: World): Promise<Prepared> {
  const body = await tarText();
  return onVolume(world, { body, headers: { 'content-type': OCTETS, 'content-length': String(body.length) } });
}

/** A volume with a backup, made of a tar that is sent. */
async function onBackup(world: World): Promise<Prepared & { name: string }> {
  const { as, params, ...sent } = await onUpload(world);
  const { json } = await api('POST', `/api/volume/${params!.id}/backups/upload`, { as: as!, ...sent } as ApiCall);
  return { as: as!, params: { id: String(json.id) }, name: new StoreReader().get(volumes, params!.id!)!.name };
}

/** An address of a workspace that asks the console who comes. */
async function protectedAddress({ workspaceId }: World): Promise<string> {
  const { id, url } = await createDomain();
  const address = { scheme: 'https' as const, subdomain: '', domain: String(id), port: 80, users: [] };
  await write((tx) =>
    tx.patch(workspaces, workspaceId, { externalUrls: [{ ...address, authentication: 'internal' }] }),
  );
  return `https://${String(url)}/`;
}

/** The host runs a container that nobody here knows. */
async function onHost({ ada, imageId }: World): Promise<Prepared> {
  const hostId = new StoreReader().get(images, imageId)!.build_on;
  const workspace = newId();
  const container = { kind: 'workspace', id: workspace, name: 'lost', imageId: 'sha256:1', isRunning: true };
  await write((tx) => putUnknown(tx, hostId, [container]));
  return { as: ada, params: { id: hostId, workspace } };
}

async function deployed({ ada: as, workspaceId }: World): Promise<Prepared> {
  const workspace = new StoreReader().get(workspaces, workspaceId)!;
  const asked = { askedBy: as.id, action: 'start', generation: 1, attempt: 9, waitsFor: '' } as const;
  const deploymentId = await write((tx) => {
    const { id } = openDeployment(tx, { ...asked, workspaceId, hostId: workspace.host });
    keepSpec(tx, id, wantedSpec(tx, workspace, undefined)!);
    return id;
  });
  return { as, params: { id: workspaceId, deploymentId } };
}

async function picture({ ada }: World): Promise<Prepared> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set('avatar', new File([new Uint8Array(png)], 'ada.png'));
  const { json } = await api('PATCH', `/api/collections/users/records/${ada.id}`, { as: ada, body });
  return { params: { collection: 'users', id: ada.id, name: String(json.avatar) } };
}

async function uploaded(world: World, name: string): Promise<Prepared> {
  await createBackup('whole.zip');
  const token = tokenFor(world, 'adminFile');
  const zip = await (await sendApi('GET', `/api/backups/whole.zip?token=${token}`)).arrayBuffer();
  const body = new FormData();
  body.set('file', new File([zip], name));
  return { headers: { authorization: adminToken(world) }, body };
}

const atBuildHost = ({ ada: as, imageId }: World): Prepared => ({
  as,
  params: { id: new StoreReader().get(images, imageId)!.build_on },
});
const onWorkspace = ({ ada: as, workspaceId }: World, query: string): Prepared => ({
  as,
  params: { id: workspaceId },
  query,
});

async function checkOf({ id: createdBy }: { id: string }, status: string): Promise<string> {
  const id = newId();
  await write((tx) => insertCheck(tx, { id, host: 'gone', createdBy, status }));
  return id;
}

const otherAdmin = async (): Promise<Prepared> => ({ params: { id: (await newcomer({ isAdmin: true })).id } });

const accountCalls: Record<string, Prepare> = {
  [`${USERS}/auth-with-oauth2`]: async (world, example) => {
    const body = { sso: { ...providerOf(world), enabled: true } };
    await api('PATCH', '/api/settings', { headers: { authorization: adminToken(world) }, body });
    world.oidc.profile = { sub: '1', preferred_username: 'nora', email: 'nora@example.com', email_verified: true };
    return { body: example, headers: { authorization: '' } };
  },
  [`${USERS}/confirm-password-reset`]: (_, example) => mailed('passwordReset', example),
  [`${USERS}/confirm-verification`]: (_, example) => mailed('verification', example),
  [`${USERS}/confirm-email-change`]: (_, example) =>
    mailed('emailChange', example, { newEmail: 'somebody.new@example.com' }),
  'POST /api/admins/confirm-password-reset': (_, example) => mailed('adminPasswordReset', example),
  'GET /api/collections/:collection/records/:id/external-auths': linked,
  'DELETE /api/collections/:collection/records/:id/external-auths/:provider': linked,
  'DELETE /api/session/everywhere': async () => ({ as: await newcomer() }),
  'POST /api/session': async () => ({ as: await newcomer(), headers: OWN_PAGES }),
  'POST /api/session/token': async () => ({
    headers: { ...OWN_PAGES, cookie: (await signInPage(await newcomer())).cookie, authorization: '' },
  }),
  'DELETE /api/session': async () => ({
    headers: { ...OWN_PAGES, cookie: (await signInPage(await newcomer())).cookie, authorization: '' },
  }),
  'DELETE /api/sessions/:id': async () => {
    const as = await newcomer();
    return { as, params: { id: (await signInPage(as)).id } };
  },
  'DELETE /api/tokens/:id': async ({ ada: as }) => {
    const body = { name: 'to go', scope: 'read', expiresInDays: null };
    const { json } = await api('POST', '/api/tokens', { as, body });
    return { as, params: { id: String((json.record as AnyRow).id) } };
  },
  'GET /api/permissions/why': ({ ada: as, workspaceId }) => ({
    as,
    query: `collection=workspaces&record=${workspaceId}&user=${as.id}`,
  }),
  'GET /api/quota': ({ ada: as }) => ({ as, query: `user=${as.id}` }),
  'GET /api/permissions/reach': ({ ada: as }) => ({ as, query: `user=${as.id}` }),
  'GET /api/packages/search': () => ({ query: 'manager=conda&channel=http://127.0.0.1:9/none&query=numpy' }),
  'GET /api/packages/versions': () => ({ query: 'manager=conda&channel=http://127.0.0.1:9/none&name=numpy' }),
  'DELETE /api/second-factor': async () => ({ query: `user=${String((await withTotp()).as!.id)}` }),
  'POST /api/second-factor/totp/confirm': async () => {
    const { as, secret } = await startTotp();
    return { as, body: { code: nextCode(secret) } };
  },
  'DELETE /api/second-factor/totp': withTotp,
  'POST /api/second-factor/recovery-codes': withTotp,
  'POST /api/second-factor/finish': pendingSignIn,
  'POST /api/passkeys': async () => {
    const as = await newcomer();
    return { as, body: (await answeredOptions(as)).body };
  },
  'PATCH /api/passkeys/:id': async () => {
    const { as, id } = await withPasskey();
    return { as, params: { id } };
  },
  'DELETE /api/passkeys/:id': async () => {
    const { as, id } = await withPasskey();
    return { as, params: { id } };
  },
  'POST /api/passkeys/sign-in': async () => {
    const { key } = await withPasskey();
    const { json } = await api('POST', '/api/passkeys/sign-in/options', { body: {} });
    return { body: { response: key.get({ challenge: String(json.challenge) }) } };
  },
};

/** The calls that need something to be there, or something of the moment in their body. */
export const preparations: Record<string, Prepare> = {
  ...doctorCalls,
  'GET /api/domain/:id/workspaces': async (world) => {
    const domain = await write((tx) => tx.insert(domains, { url: 'apps.example.org', created_by: world.ada.id }));
    return { params: { id: domain.id } };
  },
  'GET /api/forward-auth': async (world) => ({
    headers: await visitorInside(await protectedAddress(world), world.ada),
  }),
  'POST /api/verify': async (world) => {
    const { state, csrfToken } = await askedOfVisitor(await protectedAddress(world));
    return { body: { authToken: authorizationOf(world.ada.id).authorization, state, csrf_token: csrfToken } };
  },
  'GET /api/host/:id/unknown': (world) => onHost(world),
  'POST /api/host/:id/unknown/:workspace/adopt': async (world) => {
    const prepared = await onHost(world);
    return { ...prepared, body: { name: 'found-again', image: world.imageId } };
  },
  'POST /api/host/:id/unknown/:workspace/remove': (world) => onHost(world),
  ...accountCalls,
  'GET /api/admins/:id': otherAdmin,
  'PATCH /api/admins/:id': otherAdmin,
  'DELETE /api/admins/:id': otherAdmin,
  'GET /api/logs/:id': async (world) => {
    requestLogs().flush();
    const { json } = await api('GET', '/api/logs', { headers: { authorization: adminToken(world) } });
    return { params: { id: String((json.items as AnyRow[])[0]!.id) } };
  },
  'GET /api/collections/:collection': () => ({ params: { collection: 'users' } }),
  'PATCH /api/collections/:collection': () => ({ params: { collection: 'users' } }),
  'DELETE /api/collections/:collection': () => ({ params: { collection: 'users' } }),
  'GET /api/files/:collection/:id/:name': picture,
  'POST /api/realtime': async ({ ada }, example) => {
    const { clientId } = await listen(authorizationOf(ada.id).authorization!, []);
    return { as: ada, body: { ...example, clientId } };
  },
  'GET /api/image/:id/build-log': ({ ada: as, imageId }) => ({ as, params: { id: imageId } }),
  'GET /api/image/:id/export': ({ ada: as, imageId }) => ({ as, params: { id: imageId }, query: 'format=Dockerfile' }),
  'POST /api/image/:id/request': ({ ada: as, imageId }) => ({ as, params: { id: imageId } }),
  'POST /api/image/:id/check-newer': async ({ ada: as, imageId }) => {
    const { build_on } = new StoreReader().get(images, imageId)!;
    const pulled = { creationType: 'pullAnImage', dockerImageName: 'redis:7', build_on, created_by: as.id } as const;
    const image = await createImage({ ...pulled, repository: 'redis', tag: '7' });
    const done = {
      number: 1,
      kind: 'pull',
      status: 'build_finished',
      digest: 'sha256:old',
      created_by: as.id,
    } as const;
    await write((tx) => tx.insert(builds, { image: image.id, host: build_on, ...done }));
    return { as, params: { id: image.id } };
  },
  'POST /api/images/check': ({ ada: as, imageId }, example) => {
    return { as, body: { ...example, build_on: new StoreReader().get(images, imageId)!.build_on } };
  },
  'GET /api/images/check/:id/log': async ({ ada: as }) => ({ as, params: { id: await checkOf(as, 'build_finished') } }),
  'POST /api/images/check/:id/cancel': async ({ ada: as }) => ({ as, params: { id: await checkOf(as, 'building') } }),
  'GET /api/builds/:id/lock': async ({ ada: as, imageId }) => {
    const id = await write((tx) => {
      const build = { image: imageId, number: 1000, kind: 'build', status: 'build_finished', hasLock: true };
      const { id: buildId } = tx.insert(builds, build);
      const environments = [readLockText('main', 'berth-lock 1\npython 3.12.3\npypi demo 1.0\n')];
      const bases = [{ name: 'ubuntu:24.04', imageId: 'sha256:1', digest: '' }];
      keepLock(tx, { buildId, hostId: '', lock: { bases, environments } });
      return buildId;
    });
    return { as, params: { id } };
  },
  'POST /api/volume/:id/remove': async ({ ada: as }, example) => {
    const volume = await createVolume({ name: String(example.name) });
    return { as, params: { id: String(volume.id) } };
  },
  'GET /api/volume/:id/usage': (world) => onVolume(world),
  'GET /api/volume/:id/files': (world) => onVolume(world, { query: 'path=/' }),
  'GET /api/volume/:id/files/download': (world) => onVolume(world, { query: 'path=/readme.txt' }),
  'POST /api/volume/:id/files': (world) =>
    onVolume(world, {
      query: 'path=/&name=notes.txt',
      headers: { 'content-length': '5', 'content-type': OCTETS },
      body: 'hello',
    }),
  'POST /api/volume/:id/files/change': (world) => onVolume(world),
  'POST /api/volume/:id/measure': (world) => onVolume(world),
  'POST /api/volume/:id/backups': (world) => onVolume(world),
  'POST /api/volume/:id/backups/upload': onUpload,
  'GET /api/volume-backup/:id/download': onBackup,
  'POST /api/volume-backup/:id/restore': async (world) => {
    const { name, ...prepared } = await onBackup(world);
    return { ...prepared, body: { name } };
  },
  'DELETE /api/volume-backup/:id': onBackup,
  'POST /api/host/:id/test-registry': (world, example) => ({ ...atBuildHost(world), body: example }),
  'GET /api/host/:id/doctor': atBuildHost,
  'GET /api/host/:id/disk': atBuildHost,
  'GET /api/host/:id/metrics': atBuildHost,
  'GET /api/host/:id/terminal': (world) => allowHostTerminal(atBuildHost(world)),
  'GET /api/host/:id/maintenance': atBuildHost,
  'POST /api/host/:id/maintenance': (world, example) => ({ ...atBuildHost(world), body: example }),
  'POST /api/host/:id/end-maintenance': async (world, example) => {
    const prepared = atBuildHost(world);
    const asked = { hostId: prepared.params!.id!, reason: 'New disks', stopWorkspaces: false };
    await beginMaintenance({ kind: 'system' }, asked);
    return { ...prepared, body: example };
  },
  'POST /api/host/:id/prune': ({ ada: as, imageId }, example) => {
    const host = new StoreReader().get(hosts, new StoreReader().get(images, imageId)!.build_on)!;
    return { as, params: { id: host.id }, body: { ...example, name: host.name } };
  },
  'GET /api/host/:id/nvidia': atBuildHost,
  'GET /api/host/:id/traefik': async ({ ada: as, imageId }) => {
    const id = new StoreReader().get(images, imageId)!.build_on;
    const proxy = reverseProxySchema.parse({
      isAdded: true,
      type: 'traefikFileProvider',
      containerName: 'traefik',
      entryPoint: 'web',
      certResolver: 'le',
      configFileLocation: '/etc/traefik',
    });
    await write((tx) => tx.patch(hosts, id, { reverse_proxy: proxy }));
    return { as, params: { id } };
  },
  'POST /api/workspace/:id/request': ({ ada: as, workspaceId }) => ({ as, params: { id: workspaceId } }),
  'GET /api/workspace/:id/changes': ({ ada: as, workspaceId }) => ({ as, params: { id: workspaceId } }),
  'GET /api/workspace/:id/deployments/:deploymentId/spec': deployed,
  'GET /api/workspace/:id/terminal': ({ ada: as, workspaceId }) => ({ as, params: { id: workspaceId } }),
  'GET /api/workspace/:id/files': (world) => onWorkspace(world, 'path=/etc'),
  'GET /api/workspace/:id/files/download': (world) => onWorkspace(world, 'path=/etc/hostname'),
  'POST /api/workspace/:id/files': (world) => ({
    ...onWorkspace(world, 'path=/home&name=notes.txt'),
    headers: { 'content-length': '5', 'content-type': 'application/octet-stream' },
    body: 'hello',
  }),
  'GET /api/workspace/:id/metrics': (world) => onWorkspace(world, 'span=recent'),
  'POST /api/workspace/:id/keep': (world) => ({
    ...onWorkspace(world, ''),
    body: { until: new Date(Date.now() + 3_600_000).toISOString() },
  }),
  'GET /api/workspace/:id/ports': (world) => onWorkspace(world, ''),
  'GET /api/workspace/:id/logs': ({ ada: as, workspaceId }) => ({ as, params: { id: workspaceId } }),
  'GET /api/workspace/:id/logs/range': ({ ada: as, workspaceId }) => ({
    as,
    params: { id: workspaceId },
    query: 'container=c1&from=1&to=10',
  }),
  'GET /api/workspace/:id/logs/search': ({ ada: as, workspaceId }) => ({
    as,
    params: { id: workspaceId },
    query: 'container=c1&pattern=a',
  }),
  'GET /api/workspace/:id/logs/download': ({ ada: as, workspaceId }) => ({ as, params: { id: workspaceId } }),
  'POST /api/settings/apple/generate-client-secret': (_, example) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return { body: { ...example, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) } };
  },
  'POST /api/console/discover-sso': ({ oidc }) => ({ body: { issuer: oidc.url } }),
  'POST /api/console/check-sso': (world, example) => ({ body: { ...example, ...providerOf(world) } }),
  'POST /api/backups/upload': (world) => uploaded(world, 'uploaded.zip'),
  'GET /api/backups/:key': async (world) => ({
    ...(await withBackup(world, 'to_load.zip')),
    query: `token=${tokenFor(world, 'adminFile')}`,
  }),
  'DELETE /api/backups/:key': (world) => withBackup(world, 'to_go.zip'),
  'POST /api/console/backups': async ({ ada: as }) => {
    await eventually('no backup is under way', () => !isBackupRunning());
    return { as };
  },
  'POST /api/console/backups/upload': async (world) => ({
    ...(await uploaded(world, 'on_page.zip')),
    as: world.ada,
    headers: {},
  }),
  'POST /api/console/backups/token': ({ ada: as }) => ({ as, body: { password: PASSWORD } }),
  'DELETE /api/console/backups/:key': (world) => onPage(world, 'page_to_go.zip'),
  'POST /api/console/backups/:key/restore': (world) => onPage(world, 'page_to_restore.zip'),
  'POST /api/backups/:key/restore': (world) => withBackup(world, 'to_restore.zip'),
};

/** Calls of the administration, which an ordinary token does not open. */
const ADMINISTRATION = /^\w+ \/api\/(?:admins|settings|logs|backups|collections(?:\/import|\/:collection)?$)/;

export async function prepareCall(world: World, route: string, example: AnyRow): Promise<Prepared> {
  const prepared = (await preparations[route]?.(world, example)) ?? {};
  if (prepared.as !== undefined || prepared.headers?.authorization !== undefined) return prepared;
  const caller = ADMINISTRATION.test(route) ? adminToken(world) : authorizationOf(world.ada.id).authorization!;
  return { ...prepared, headers: { ...prepared.headers, authorization: caller } };
}
import { doctorCalls } from './prepared-doctor';
