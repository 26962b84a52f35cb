import huMails from '../../messages/hu/mails.json' with { type: 'json' };
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import PocketBase, { ClientResponseError } from 'pocketbase';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundleApiServer, startApi, type ApiProcess } from '../setup/api-process';
import { eventually } from '../setup/console-process';
import { admin, PASSWORD, setUp, signIn } from '../setup/journey';
import {
  SMTP_PASSWORD,
  SMTP_USER,
  startSmtpServer,
  type ReceivedMail,
  type TestSmtpServer,
} from '../setup/smtp-server';

/** The console as a process of its own, and a mail server with a log-in and STARTTLS beside it. */
let smtp: TestSmtpServer;
let berth: ApiProcess;
let pb: PocketBase;
let count = 0;

const smtpUrl = (password: string): string =>
  `smtp://${SMTP_USER}:${encodeURIComponent(password)}@127.0.0.1:${smtp.port}`;

beforeAll(async () => {
  await bundleApiServer();
  smtp = await startSmtpServer();
  berth = await startConsole({});
  pb = await setUp(berth.url, berth.setupCode);
});
afterAll(async () => {
  await berth?.kill('SIGKILL');
  await smtp?.close();
});
beforeEach(() => {
  smtp.mood = 'takes';
});

function startConsole(env: Record<string, string>): Promise<ApiProcess> {
  const mail = { BERTH_SMTP_URL: smtpUrl(SMTP_PASSWORD), BERTH_MAIL_FROM: 'Berth <berth@example.net>' };
  return startApi({
    env: { NODE_EXTRA_CA_CERTS: smtp.caFile, BERTH_PUBLIC_URL: 'https://berth.example', ...mail, ...env },
  });
}

interface Person {
  id: string;
  email: string;
  username: string;
}

/** Someone with the common password. */
async function newPerson(changes: Record<string, unknown> = {}): Promise<Person> {
  count += 1;
  const fields = { username: `kim${count}`, email: `kim${count}@example.org`, name: 'Kim <b>&"K"', ...changes };
  const made = await pb.collection('users').create({ ...fields, password: PASSWORD, passwordConfirm: PASSWORD });
  return { ...made, ...fields, id: made.id };
}

const guest = () => new PocketBase(berth.url).collection('users');

async function nextMail(send: () => Promise<unknown>, limitMs = 5000): Promise<ReceivedMail> {
  const known = smtp.mails.length;
  await send();
  return eventually('a mail comes', () => smtp.mails[known], limitMs);
}

/** The token behind the last part of the link, which both halves of the mail must hold. */
function tokenOf({ parsed }: ReceivedMail, page: string): string {
  const link = new RegExp(`https://berth\\.example/${page}/([\\w-]+\\.[\\w-]+\\.[\\w-]+)`);
  const [inText, inHtml] = [link.exec(parsed.text ?? '')?.[1], link.exec(parsed.html ?? '')?.[1]];
  expect([inText, inHtml]).toEqual([expect.any(String), inText]);
  return inText!;
}

const refusalOf = async (work: Promise<unknown>): Promise<{ status: number; message: string }> => {
  const error = await work.then(() => undefined).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ClientResponseError);
  const { status, response } = error as ClientResponseError;
  return { status, message: String(response.message) };
};

describe('whole ways by the link of the mail', () => {
  test('a password reset: the link sets one, once, and the owner is told', async () => {
    const kim = await newPerson();
    const mail = await nextMail(() => guest().requestPasswordReset(kim.email));
    expect(mail).toMatchObject({ recipients: [kim.email], isSecure: true, user: SMTP_USER });
    expect(mail.parsed).toMatchObject({
      subject: 'Reset your Berth password',
      from: { address: 'berth@example.net', name: 'Berth' },
      to: [{ address: kim.email, name: 'Kim <b>&"K"' }],
    });
    expect(mail.parsed.html).toContain('Hello Kim &lt;b&gt;&amp;&quot;K&quot;,');
    expect(mail.parsed.html).toContain('<html lang="en">');
    expect(mail.parsed.html).toContain('prefers-color-scheme: dark');
    expect(mail.parsed.text).toContain('Hello Kim <b>&"K",');
    const token = tokenOf(mail, 'confirm-password-reset');
    for (const use of ['confirmVerification', 'confirmEmailChange'] as const) {
      expect((await refusalOf(guest()[use](token, PASSWORD))).status).toBe(400);
    }
    const notice = await nextMail(() => guest().confirmPasswordReset(token, 'Fresh!pass2', 'Fresh!pass2'));
    expect(notice.parsed.subject).toBe('Your Berth password was changed');
    expect([notice.recipients, notice.raw.includes(token)]).toEqual([[kim.email], false]);
    expect((await refusalOf(guest().confirmPasswordReset(token, 'Other!pass3', 'Other!pass3'))).status).toBe(400);
    await guest().authWithPassword(kim.email, 'Fresh!pass2');
  });

  test('a verification', async () => {
    const kim = await newPerson({ language: 'xx-YY' });
    const mail = await nextMail(() => guest().requestVerification(kim.email));
    expect(mail.parsed.subject).toBe('Confirm your e-mail address for Berth');
    expect(mail.raw, 'nobody’s own words reach an address that may be a stranger’s').not.toContain('Kim');
    const token = /confirm-verification\/(\S+)/.exec(mail.parsed.text ?? '')![1]!;
    expect((await refusalOf(guest().confirmPasswordReset(token, PASSWORD, PASSWORD))).status).toBe(400);
    await guest().confirmVerification(token);
    expect((await pb.collection('users').getOne(kim.id)).verified).toBe(true);
  });

  test('comes in the language of the account', async () => {
    const kim = await newPerson({ language: 'hu-HU' });
    const mail = await nextMail(() => guest().requestPasswordReset(kim.email));
    expect(mail.parsed.subject).toBe(huMails.passwordReset.subject);
    expect(mail.parsed.html).toContain('<html lang="hu">');
    expect(tokenOf(mail, 'confirm-password-reset')).not.toBe('');
  });

  test('an e-mail change: the new address gets the link, the old one hears of it', async () => {
    const kim = await newPerson();
    const own = (await signIn(berth.url, kim.username)).collection('users');
    const newEmail = `new-${kim.email}`;
    const mail = await nextMail(() => own.requestEmailChange(newEmail));
    expect(mail.recipients).toEqual([newEmail]);
    expect(mail.parsed.text).toContain(`You asked to use ${newEmail}`);
    expect(mail.raw).not.toContain('Kim');
    const token = tokenOf(mail, 'confirm-email-change');
    const notice = await nextMail(() => guest().confirmEmailChange(token, PASSWORD));
    expect(notice.recipients).toEqual([kim.email]);
    expect(notice.parsed.subject).toBe('Your Berth account has another e-mail address');
    expect(notice.raw).not.toContain(newEmail);
    expect((await refusalOf(guest().confirmEmailChange(token, PASSWORD))).status).toBe(400);
    await guest().authWithPassword(newEmail, PASSWORD);
  });

  test.each(['verification', 'password-reset', 'email-change'])('a test mail of %s', async (template) => {
    const admins = new PocketBase(berth.url);
    await admins.admins.authWithPassword(admin.email, PASSWORD);
    const mail = await nextMail(() => admins.settings.testEmail('ops@example.org', template));
    expect([mail.recipients, mail.parsed.text?.includes('TEST_TOKEN')]).toEqual([['ops@example.org'], true]);
    smtp.mood = 'refusesLogin';
    const refused = await refusalOf(admins.settings.testEmail('ops@example.org', template));
    expect(refused.message).toBe(
      'Failed to send the test email. The mail server refused the user name or the password (535).',
    );
  });
});

describe('what a mail must not carry or tell', () => {
  test.each(['Eve\r\nBcc: thief@example.org', 'Eve\nSubject: Gift\n\nBody', '"Eve" <thief@example.org>, '])(
    'a name like %j adds no header and no recipient',
    async (name) => {
      const kim = await newPerson({ name });
      const mail = await nextMail(() => guest().requestPasswordReset(kim.email));
      expect(mail.recipients).toEqual([kim.email]);
      expect(mail.parsed.headers.map(({ key }) => key)).not.toContain('bcc');
      expect(mail.parsed.subject).toBe('Reset your Berth password');
      expect(mail.parsed.to?.map((to) => to.address)).toEqual([kim.email]);
    },
  );

  test.each(['kim@example.org\r\nBcc: thief@example.org', 'kim@example.org\nthief@example.org', 'a@b.co,c@d.co'])(
    'an address like %j is refused',
    async (address) => {
      const kim = await newPerson();
      const own = (await signIn(berth.url, kim.username)).collection('users');
      const known = smtp.mails.length;
      for (const call of [own.requestEmailChange(address), guest().requestPasswordReset(address)]) {
        expect((await refusalOf(call)).status).toBe(400);
      }
      expect(smtp.mails).toHaveLength(known);
    },
  );

  test('asking for a reset answers alike for anyone, also while the mail server hangs', async () => {
    const kim = await newPerson();
    smtp.mood = 'hangs';
    const spans: number[] = [];
    for (const email of [kim.email, 'nobody@example.org']) {
      const begun = performance.now();
      const answer = await fetch(`${berth.url}/api/collections/users/request-password-reset`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      });
      spans.push(performance.now() - begun);
      expect([answer.status, await answer.text()]).toEqual([204, '']);
    }
    expect(Math.max(...spans)).toBeLessThan(1000);
  });
});

describe('a mail server in trouble', () => {
  async function emailChange(): Promise<{ status: number; message: string }> {
    const kim = await newPerson();
    const own = (await signIn(berth.url, kim.username)).collection('users');
    return refusalOf(own.requestEmailChange(`new-${kim.email}`));
  }
  const FAILED = 'Failed to request email change.';

  test.each([
    ['refusesLogin', 'The mail server refused the user name or the password (535).'],
    ['refusesRecipient', 'The mail server refused the mail (550).'],
    ['dropsData', 'The mail server ended the connection before it had taken the mail.'],
    ['hangs', 'The mail server did not answer in time.'],
  ] as const)('that %s is named to whoever waits', async (mood, why) => {
    smtp.mood = mood;
    expect(await emailChange()).toEqual({ status: 400, message: `${FAILED} ${why}` });
  });

  test('that is away for a moment gets the mail when it is back', async () => {
    const kim = await newPerson();
    await smtp.stop();
    const mail = nextMail(() => guest().requestPasswordReset(kim.email), 10_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await smtp.start();
    expect((await mail).recipients).toEqual([kim.email]);
  });
});

describe('what the clock will delete', () => {
  /** Long overdue, so that it is announced at the next sweep. */
  function overdue(ids: readonly string[]): void {
    const db = new Database(path.join(berth.dataDir, 'berth.db'));
    const past = '2020-01-01 00:00:00.000Z';
    const set = db.prepare('UPDATE workspaces SET delete_from = ?, deletes_at = ?, next_time_at = ? WHERE id = ?');
    for (const id of ids) set.run(past, past, past, id);
    db.close();
  }

  /** Agents make hosts; here nobody needs one that answers. */
  function joinHost(): string {
    const db = new Database(path.join(berth.dataDir, 'berth.db'));
    const [id, now] = ['hosthosthosthos', '2020-01-01 00:00:00.000Z'];
    db.prepare("INSERT INTO hosts (id, created, updated, name, enabled) VALUES (?, ?, ?, 'lab', 1)").run(id, now, now);
    db.close();
    return id;
  }

  test('is mailed to its owner, all at once, where the address is confirmed', async () => {
    const host = { id: joinHost() };
    const pulled = { name: 'i', creationType: 'pullAnImage', dockerImageName: 'a/b', build_on: host.id };
    const image = await pb.collection('images').create(pulled);
    const people = [
      await newPerson({ verified: true, language: 'hu', isAdmin: true }),
      await newPerson({ isAdmin: true }),
    ];
    const ids: string[] = [];
    for (const { username } of people) {
      const own = await signIn(berth.url, username);
      for (const name of [`${username}-a`, `${username}-b`]) {
        const body = { name, host: host.id, image: image.id, deleteAfterDays: 9 };
        ids.push((await own.collection('workspaces').create(body)).id);
      }
    }
    const known = smtp.mails.length;
    const mail = await nextMail(() => Promise.resolve(overdue(ids)), 30_000);
    expect(mail.recipients).toEqual([people[0]!.email]);
    expect(mail.parsed.subject).toBe('2 munkaterülete törlődni fog');
    const at = new Date(Date.now() + 3 * 86_400_000);
    const year = at.getUTCFullYear();
    for (const end of ['a', 'b']) {
      expect(mail.parsed.text).toMatch(new RegExp(`- ${people[0]!.username}-${end}: ${year}\\.`));
      expect(mail.parsed.html).toContain(`<li>${people[0]!.username}-${end}: `);
    }
    expect(mail.parsed.text).toContain('https://berth.example/workspaces');
    expect(smtp.mails.length).toBe(known + 1);
  }, 60_000);
});

describe('a console that is set up wrongly', () => {
  async function output(env: Record<string, string>): Promise<string> {
    const other = await startConsole(env);
    try {
      const own = await setUp(other.url, other.setupCode);
      const asked = refusalOf(own.collection('users').requestEmailChange('other@example.org'));
      return (await asked).message;
    } finally {
      await other.kill('SIGKILL');
      fs.rmSync(other.dataDir, { recursive: true, force: true });
    }
  }

  test('with a wrong password says so', async () => {
    expect(await output({ BERTH_SMTP_URL: smtpUrl('wrong') })).toContain('refused the user name or the password (535)');
  });

  test('does not send to a server whose certificate it does not trust', async () => {
    expect(await output({ NODE_EXTRA_CA_CERTS: '' })).toContain('The secure connection to the mail server could not');
  });

  test('without a mail server writes the mail to its outbox, readable by nobody else', async () => {
    const other = await startApi({ env: { BERTH_SMTP_URL: '' } });
    try {
      await (await setUp(other.url)).collection('users').requestEmailChange('other@example.org');
      const folder = path.join(other.dataDir, 'outbox');
      const [file] = fs.readdirSync(folder);
      expect(fs.statSync(path.join(folder, file!)).mode & 0o777).toBe(0o600);
    } finally {
      await other.kill('SIGKILL');
      fs.rmSync(other.dataDir, { recursive: true, force: true });
    }
  });
});
