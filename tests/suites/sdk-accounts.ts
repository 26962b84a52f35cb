import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admin as first, PASSWORD, setUp } from '../setup/journey';
import { startOidcServer, type OidcServer } from '../setup/oidc-server';
import { readOutbox, tokenIn } from '../setup/outbox';
import { clientOf, joinHost, signToken, type SdkTarget } from '../setup/sdk-target';

/** What the published client does with accounts, tokens, providers and administration. Run against every target. */
export function describeSdkAccounts(open: () => Promise<SdkTarget>): void {
  let target: SdkTarget;
  let oidc: OidcServer;
  let root: PocketBase;
  let rootId: string;
  let person: RecordModel;

  beforeAll(async () => {
    target = await open();
    oidc = await startOidcServer();
    root = await setUp(target.url);
    rootId = String(root.authStore.model!.id);
    person = await createPerson('ada');
  });
  afterAll(() => Promise.all([target.close(), oidc.close()]));

  const createPerson = (username: string): Promise<RecordModel> => {
    const passwords = { password: PASSWORD, passwordConfirm: PASSWORD };
    return root.collection('users').create({ username, email: `${username}@example.com`, ...passwords });
  };

  async function newMail(send: () => Promise<unknown>): Promise<string> {
    const known = new Set(readOutbox(target.dataDir));
    await send();
    const added = () => readOutbox(target.dataDir).filter((mail) => !known.has(mail) && mail.includes('/confirm-'));
    await expect.poll(() => added().length).toBe(1);
    return tokenIn(added()[0]!);
  }

  test('verification, e-mail change and password reset', async () => {
    const pb = clientOf(target);
    const users = pb.collection('users');
    await users.authWithPassword(String(person.username), PASSWORD);
    const verification = await newMail(() => users.requestVerification('ada@example.com'));
    expect(await users.confirmVerification(verification)).toBe(true);
    expect(pb.authStore.model!.verified).toBe(true);
    const change = await newMail(() => users.requestEmailChange('moved@example.com'));
    expect(await users.confirmEmailChange(change, PASSWORD)).toBe(true);
    expect(pb.authStore.isValid).toBe(false);
    const reset = await newMail(() => users.requestPasswordReset('moved@example.com'));
    expect(await users.confirmPasswordReset(reset, 'Fresh456!', 'Fresh456!')).toBe(true);
    const { record } = await users.authWithPassword('moved@example.com', 'Fresh456!');
    expect(record).toMatchObject({ id: person.id, email: 'moved@example.com' });
    expect((await users.authRefresh()).record.id).toBe(person.id);
    await expect(users.confirmPasswordReset(reset, 'x', 'y')).rejects.toMatchObject({ status: 400 });
  });

  describe('a token', () => {
    let bob: RecordModel;
    beforeAll(async () => {
      bob = await createPerson('bob');
    });

    /** Whether the token opens one's own account: a guest is refused. */
    const opens = (token: string): Promise<boolean> => {
      const pb = clientOf(target);
      pb.authStore.save(token, bob);
      return pb
        .collection('users')
        .authRefresh()
        .then(
          ({ record }) => record.id === bob.id,
          (error: { status: number }) => {
            expect(error.status).toBe(401);
            return false;
          },
        );
    };
    const changed = (token: string, part: number, change: (text: string) => string): string =>
      token
        .split('.')
        .map((each, index) => (index === part ? change(each) : each))
        .join('.');
    const claims = (token: string, values: object): string =>
      changed(token, 1, (text) => {
        const old = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
        return Buffer.from(JSON.stringify({ ...old, ...values })).toString('base64url');
      });
    const header = (values: object) => Buffer.from(JSON.stringify(values)).toString('base64url');

    test.each<[string, boolean, (bob: string, root: string) => string]>([
      ['of the account', true, (id) => signToken(target, id)],
      ['a day before its end', true, (id) => signToken(target, id, { agoSeconds: 13 * 86_400 })],
      ['that has expired', false, (id) => signToken(target, id, { agoSeconds: 1_209_601 })],
      ['of another purpose', false, (id) => signToken(target, id, { purpose: 'file' })],
      ['of a mail', false, (id) => signToken(target, id, { purpose: 'passwordReset' })],
      ['of administration, for an ordinary account', false, (id) => signToken(target, id, { purpose: 'adminAuth' })],
      ['with a later end', false, (id) => claims(signToken(target, id), { exp: 9_999_999_999 })],
      ['of another account under this one’s id', false, (id, other) => claims(signToken(target, other), { id })],
      ['without a signature', false, (id) => changed(signToken(target, id), 2, () => '')],
      ['with a changed signature', false, (id) => changed(signToken(target, id), 2, (text) => `AAAA${text.slice(4)}`)],
      ['that names no algorithm', false, (id) => changed(signToken(target, id), 0, () => header({ alg: 'none' }))],
      [
        'that names another algorithm',
        false,
        (id) => changed(signToken(target, id), 0, () => header({ alg: 'HS512' })),
      ],
      ['that is none', false, () => 'not.a.token'],
    ])('%s opens its account: %s', async (_, isOpen, make) => {
      expect(await opens(make(bob.id, rootId))).toBe(isOpen);
    });

    test('that does not hold makes a guest, who is refused nothing that is open', async () => {
      const pb = clientOf(target);
      pb.authStore.save(signToken(target, bob.id, { agoSeconds: 2_000_000 }), bob);
      expect((await pb.collection('workspaces').getList()).items).toEqual([]);
      expect((await pb.health.check()).code).toBe(200);
      await expect(pb.collection('users').update(bob.id, { name: 'x' })).rejects.toMatchObject({ status: 404 });
      expect((await root.collection('users').getOne(bob.id)).name).toBe('');
    });

    test('ends when its account gets a new password', async () => {
      const token = signToken(target, bob.id);
      expect(await opens(token)).toBe(true);
      await root.collection('users').update(bob.id, { password: 'Other789!', passwordConfirm: 'Other789!' });
      expect(await opens(token)).toBe(false);
    });
  });

  describe('a provider', () => {
    beforeAll(async () => {
      const urls = { authUrl: `${oidc.url}/auth`, tokenUrl: `${oidc.url}/token`, userInfoUrl: `${oidc.url}/me` };
      const pb = clientOf(target);
      await pb.admins.authWithPassword(first.email, PASSWORD);
      await pb.settings.update({ sso: { enabled: true, clientId: 'c', ...urls } });
    });

    test('by the popup, with its links', async () => {
      oidc.profile = { sub: '1', preferred_username: 'popup', name: 'Popup' };
      const users = clientOf(target).collection('users');
      expect((await users.listAuthMethods()).authProviders).toHaveLength(1);
      const answer = await users.authWithOAuth2({
        provider: 'oidc',
        async urlCallback(address) {
          const asked = new URL(address);
          expect(asked.searchParams.get('redirect_uri')).toBe(`${target.url}/api/oauth2-redirect`);
          expect(asked.searchParams.get('scope')).toBe('openid email profile');
          const back = `${asked.searchParams.get('redirect_uri')}?state=${asked.searchParams.get('state')}&code=abc`;
          expect((await fetch(back, { redirect: 'manual' })).status).toBe(307);
        },
      });
      expect(answer).toMatchObject({ record: { username: 'popup' }, meta: { isNew: true, id: '1' } });
      expect(oidc.exchanges.at(-1)!.get('code_verifier')).toHaveLength(43);
      const links = await users.listExternalAuths(answer.record.id);
      expect(links).toMatchObject([{ provider: 'oidc', providerId: '1' }]);
      const onlyWay = users.unlinkExternalAuth(answer.record.id, 'oidc');
      await expect(onlyWay).rejects.toMatchObject({ status: 400 });
      await root.collection('users').update(answer.record.id, { password: PASSWORD, passwordConfirm: PASSWORD });
      await users.authWithPassword('popup', PASSWORD);
      expect(await users.unlinkExternalAuth(answer.record.id, 'oidc')).toBe(true);
      expect(await users.listExternalAuths(answer.record.id)).toEqual([]);
    });

    test('by a code that a page of one’s own received', async () => {
      const email = { email: 'coder@example.com', email_verified: true };
      oidc.profile = { sub: '2', preferred_username: 'coder', name: 'Coder', ...email };
      const pb = clientOf(target);
      const users = pb.collection('users');
      const { authProviders } = await users.listAuthMethods();
      const { name, authUrl, codeVerifier, state } = authProviders[0]!;
      const redirectUrl = 'https://app.example.org/back';
      const asked = new URL(authUrl + encodeURIComponent(redirectUrl));
      expect(asked.searchParams.get('redirect_uri')).toBe(redirectUrl);
      expect(asked.searchParams.get('state')).toBe(state);
      const answer = await users.authWithOAuth2Code(name, 'the-code', codeVerifier, redirectUrl, { name: 'Chosen' });
      expect(answer).toMatchObject({
        record: { username: 'coder' },
        meta: { isNew: true, email: 'coder@example.com' },
      });
      expect(pb.authStore.isValid).toBe(true);
      const exchange = Object.fromEntries(oidc.exchanges.at(-1)!);
      expect(exchange).toMatchObject({ code: 'the-code', code_verifier: codeVerifier, redirect_uri: redirectUrl });
      const again = await users.authWithOAuth2Code(name, 'the-code', codeVerifier, redirectUrl);
      expect([again.record.id, again.meta!.isNew]).toEqual([answer.record.id, false]);
    });

    test('that refuses the code, or is unknown, signs nobody in and makes no account', async () => {
      oidc.profile = undefined;
      const pb = clientOf(target);
      const users = pb.collection('users');
      const count = async () => (await root.collection('users').getList(1, 1)).totalItems;
      const before = await count();
      const redirectUrl = 'https://app.example.org/back';
      await expect(users.authWithOAuth2Code('oidc', 'bad', 'v', redirectUrl)).rejects.toMatchObject({ status: 400 });
      await expect(users.authWithOAuth2Code('nope', 'x', 'v', redirectUrl)).rejects.toMatchObject({
        response: { data: { provider: { code: 'validation_invalid_provider' } } },
      });
      expect(pb.authStore.isValid).toBe(false);
      expect(await count()).toBe(before);
    });
  });

  test('administration', async () => {
    const pb = clientOf(target);
    await pb.admins.authWithPassword(first.email, PASSWORD);
    expect(pb.authStore.isAdmin).toBe(true);
    await pb.admins.authRefresh();
    expect((await pb.admins.getFullList()).map(({ id }) => id)).toEqual([rootId]);
    expect((await pb.admins.getFirstListItem(pb.filter('email = {:email}', { email: first.email }))).id).toBe(rootId);
    expect((await pb.settings.getAll()).recordAuthToken).toEqual({ secret: '******', duration: 1_209_600 });
    expect((await pb.settings.update({ cache: { lifetime: 30 } })).cache).toEqual({ lifetime: 30 });
    expect(await pb.settings.testEmail('a@example.com', 'verification')).toBe(true);
    await expect(pb.settings.testS3('storage')).rejects.toMatchObject({
      status: 400,
      response: { message: 'Failed to test the S3 filesystem. Berth keeps its files in its data folder.' },
    });
    expect((await pb.collections.getOne('volumes')).schema.map(({ name }) => name)).toContain('path_on_host');
    expect((await pb.collections.getFullList({ sort: '-name' })).length).toBeGreaterThan(15);
    await expect(pb.collections.delete('volumes')).rejects.toMatchObject({ status: 400 });
    await expect.poll(async () => (await pb.logs.getList(1, 1, { sort: '-created' })).items.length).toBe(1);
    expect((await pb.logs.getStats()).length).toBeGreaterThan(0);
    expect((await pb.health.check()).data.canBackup).toBe(true);
    expect((await pb.collection('users').getFullList({ filter: "email != ''" })).length).toBeGreaterThan(1);
  });

  test('volumes, networks, domains, files and their permissions', async () => {
    const host = await joinHost(target, root, 'alpha');
    const heard: string[] = [];
    const stop = await root.collection('volumes').subscribe('*', ({ action }) => heard.push(action));
    const volume = await root
      .collection('volumes')
      .create({ name: 'data', host: host.id }, { expand: 'host,created_by' });
    expect(volume).toMatchObject({ status: 'pending', expand: { host: { id: host.id }, created_by: { id: rootId } } });
    await root.collection('volume_permissions').create({ user: person.id, volume: volume.id, attach: true });
    const expand = 'volume_permissions_via_volume.user';
    expect((await root.collection('volumes').getOne(volume.id, { expand })).expand).toMatchObject({
      volume_permissions_via_volume: [{ attach: true, expand: { user: { id: person.id } } }],
    });
    await root.collection('networks').create({ name: 'net', host: host.id });
    await root.collection('domains').create({ url: 'example.net', host: host.id });
    await root.collection('volumes').delete(volume.id);
    expect(await root.collection('volume_permissions').getFullList()).toEqual([]);
    await expect.poll(() => heard).toEqual(['create', 'delete']);
    await stop();
  });
}
