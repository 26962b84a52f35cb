import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** What the server does with the next mails. */
export type SmtpMood = 'takes' | 'refusesLogin' | 'refusesRecipient' | 'hangs' | 'dropsData';

export interface ReceivedMail {
  parsed: Email;
  raw: string;
  /** By the envelope, which is where the mail really goes. */
  recipients: string[];
  isSecure: boolean;
  user: string;
}

export interface TestSmtpServer {
  port: number;
  /** The certificate that a client has to trust. */
  caFile: string;
  mood: SmtpMood;
  readonly mails: ReceivedMail[];
  /** Goes away and comes back on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export const SMTP_USER = 'berth';
export const SMTP_PASSWORD = 'p@ss/word:1';

/** A real SMTP server on loopback with STARTTLS by a certificate of its own, which takes mails after a log-in only. */
export async function startSmtpServer(): Promise<TestSmtpServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-smtp-'));
  const { key, cert, caFile } = makeCertificate(folder);
  const mails: ReceivedMail[] = [];
  let server: SMTPServer | undefined;

  const create = (): SMTPServer =>
    new SMTPServer({
      key,
      cert,
      hideENHANCEDSTATUSCODES: true,
      logger: false,
      onConnect: (_session, done) => (smtp.mood === 'hangs' ? undefined : done()),
      onAuth({ username, password }, _session, done) {
        const isRight = smtp.mood !== 'refusesLogin' && username === SMTP_USER && password === SMTP_PASSWORD;
        return isRight ? done(null, { user: username }) : done(new Error('no such user mara@example.org'));
      },
      onRcptTo({ address }, _session, done) {
        if (smtp.mood !== 'refusesRecipient') return done();
        done(Object.assign(new Error(`unknown user ${address}`), { responseCode: 550 }));
      },
      onData(stream, session, done) {
        if (smtp.mood === 'dropsData') {
          stream.once('data', () => dropConnections(server));
          return void stream.resume();
        }
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString();
          void PostalMime.parse(raw).then((parsed) => {
            const recipients = session.envelope.rcptTo.map(({ address }) => address);
            mails.push({ parsed, raw, recipients, isSecure: session.secure, user: String(session.user) });
            done();
          });
        });
      },
    });
  const listen = (port: number): Promise<number> =>
    new Promise((resolve) => {
      server = create();
      server.on('error', () => undefined);
      const listening = server.listen(port, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port));
    });
  const stop = (): Promise<void> => new Promise((resolve) => (server ? server.close(() => resolve()) : resolve()));

  const port = await listen(0);
  const smtp: TestSmtpServer = {
    port,
    caFile,
    mood: 'takes',
    mails,
    stop,
    start: async () => void (await listen(port)),
    async close() {
      dropConnections(server);
      await stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  return smtp;
}

function dropConnections(server: SMTPServer | undefined): void {
  const held = (server as unknown as { connections: Set<{ _socket: Socket }> } | undefined)?.connections ?? new Set();
  for (const { _socket: socket } of held) socket.destroy();
}

function makeCertificate(folder: string): { key: string; cert: string; caFile: string } {
  const [keyFile, caFile] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...made, '-addext', names, '-keyout', keyFile, '-out', caFile], { stdio: 'ignore' });
  return { key: fs.readFileSync(keyFile, 'utf8'), cert: fs.readFileSync(caFile, 'utf8'), caFile };
}
