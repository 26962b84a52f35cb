import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface Certificates {
  /** Of an authority that nobody knows by itself. */
  readonly ca: string;
  /** A key with a certificate of the authority for these names, for so many days from now; negative for one that has ended. */
  issue(names: readonly string[], days: number): { key: string; cert: string };
  /** One that vouches for itself. */
  selfSigned(name: string): { key: string; cert: string };
  close(): void;
}

const KEY = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'.split(' ');

/** An authority of a test's own, made by OpenSSL. */
export function createAuthority(): Certificates {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-ca-'));
  const at = (name: string): string => path.join(folder, name);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'pipe' });
  const read = (name: string): string => fs.readFileSync(at(name), 'utf8');
  const selfMade = (subject: string, [key, cert]: [string, string], names: string[] = []): void => {
    const extras = names.flatMap((name) => ['-addext', name]);
    openssl('req', '-x509', ...KEY, '-days', '90', '-subj', subject, ...extras, '-keyout', at(key), '-out', at(cert));
  };
  selfMade('/O=Harbour Authority/CN=Harbour Root', ['ca.key', 'ca.pem']);
  return {
    ca: read('ca.pem'),
    issue(names, days) {
      openssl('req', ...KEY, '-subj', `/CN=${names[0]}`, '-keyout', at('leaf.key'), '-out', at('leaf.csr'));
      fs.writeFileSync(at('names'), `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`);
      const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('names')];
      openssl('x509', '-req', '-in', at('leaf.csr'), ...signed, '-days', String(days), '-out', at('leaf.pem'));
      return { key: read('leaf.key'), cert: read('leaf.pem') };
    },
    selfSigned(name) {
      selfMade(`/CN=${name}`, ['self.key', 'self.pem'], [`subjectAltName=DNS:${name}`]);
      return { key: read('self.key'), cert: read('self.pem') };
    },
    close: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
