import 'server-only';
import { connect, type ConnectionOptions, type PeerCertificate } from 'node:tls';
import { nowMs } from '@/lib/clock';
import { failed, fine, skipped, someNames, type Verdict, warning } from '@/lib/verdict';
import type { Reach } from './reach';

const CONNECT_MS = 5000;
const DAY_MS = 86_400_000;
/** Authorities that renew by themselves do so a month before. */
const SOON_DAYS = 14;
const TRAEFIK_DEFAULT = 'TRAEFIK DEFAULT CERT';
const RENEW =
  'Look into the log of the reverse proxy for why it was not renewed: the authority has to reach port 80, or the name servers.';
const RESOLVER =
  "Check the certificate resolver in the host's reverse proxy: that Traefik has one of that name, and that the authority reaches port 80 or the name servers.";

interface CertificateQuestion {
  reach: Reach;
  name: string;
  port: number;
  /** Trusted beside the usual authorities. */
  ca?: ConnectionOptions['ca'];
}

interface Shown {
  certificate: PeerCertificate;
  /** OpenSSL's word for why it is not trusted; empty where it is. */
  problem: string;
}

/** What certificate a browser is shown for a name. */
export async function checkCertificate({ reach, name, port, ca }: CertificateQuestion): Promise<Verdict> {
  if (reach.address === '') return skipped(reach.refusal);
  const shown = await ask({ host: reach.address, port, servername: name, ...(ca && { ca }) });
  if (typeof shown === 'object') return judgeCertificate(shown, { name });
  const cure = `Check that the entry point at port ${port} is one for https, and that the reverse proxy runs.`;
  return failed(`No TLS for ${name} at port ${port}: ${shown}.`, cure);
}

/** What was shown, or why nothing was. */
function ask(options: ConnectionOptions): Promise<Shown | string> {
  return new Promise((resolve) => {
    // What is not trusted is the very thing to tell; nothing is sent.
    const socket = connect({ ...options, rejectUnauthorized: false });
    const end = (what: Shown | string): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(what);
    };
    const late = setTimeout(() => end('ETIMEDOUT'), CONNECT_MS);
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => end(code ?? message));
    socket.once('close', () => end('ECONNRESET'));
    socket.once('secureConnect', () =>
      end({ certificate: socket.getPeerCertificate(), problem: String(socket.authorizationError ?? '') }),
    );
  });
}

/** What to say of a certificate for a name. */
export function judgeCertificate({ certificate, problem }: Shown, { name }: { name: string }): Verdict {
  const { subject, issuer, valid_to: until } = certificate;
  const by = wordOf(issuer?.O ?? issuer?.CN) || 'an unnamed issuer';
  const names = namesOf(certificate);
  const leftDays = Math.floor((Date.parse(until) - nowMs()) / DAY_MS);
  if (wordOf(subject?.CN) === TRAEFIK_DEFAULT) {
    return failed(`Traefik shows its own default certificate: it has none for ${name}.`, RESOLVER);
  }
  if (Date.parse(until) < nowMs()) return failed(`The certificate, by ${by}, ended on ${until}.`, RENEW);
  if (problem === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return failed(`The certificate, by ${by}, is for ${someNames(names)} and not for ${name}.`, RESOLVER);
  }
  if (/SELF_SIGNED/.test(problem) && wordOf(subject?.CN) === wordOf(issuer?.CN)) {
    return failed(`The certificate is self-signed: browsers warn before they open ${name}.`, RESOLVER);
  }
  if (problem !== '') {
    const cure =
      'Browsers warn unless they trust that authority too. Have the proxy send the certificates in between, or name the authority in NODE_EXTRA_CA_CERTS of the console.';
    return warning(`The certificate, by ${by}, is not trusted by the console (${problem}).`, cure);
  }
  if (leftDays < SOON_DAYS) return warning(`The certificate, by ${by}, ends in ${leftDays} days.`, RENEW);
  return fine(`The certificate, by ${by}, is for ${someNames(names)} and good for ${leftDays} days.`);
}

function wordOf(value: string | string[] | undefined): string {
  return [value ?? ''].flat().join(', ').slice(0, 200);
}

function namesOf({ subjectaltname, subject }: PeerCertificate): string[] {
  const names = (subjectaltname ?? '').split(', ').map((each) => each.replace(/^[A-Z a-z]+:/, ''));
  const given = names.filter(Boolean);
  return given.length > 0 ? given : [wordOf(subject?.CN)];
}
