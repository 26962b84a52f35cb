import 'server-only';
import { lookup } from 'node:dns/promises';
import { domains } from '@/lib/domains/collection';
import { env } from '@/lib/env';
import { StoreReader } from '@/lib/records/transaction';
import { forwardAuthSetting } from '@/lib/settings/forward-auth';
import { APP_VERSION } from '@/lib/version';
import { failed, fine, skipped, someNames, type Verdict, warning } from '@/lib/verdict';

const ASK_MS = 5000;

function isHere(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.') || hostname.endsWith('.localhost')
  );
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
  return code ?? error.message;
}

/** Whether the console answers at the address that people and hosts are told. */
export async function checkAddress(): Promise<Verdict> {
  const { publicUrl } = env();
  const cure = 'Set BERTH_PUBLIC_URL to where people reach the console, and see to DNS and the reverse proxy.';
  try {
    const response = await fetch(`${publicUrl}/api/health`, {
      signal: AbortSignal.timeout(ASK_MS),
      redirect: 'manual',
    });
    const text = (await response.text()).slice(0, 10_000);
    if (text.includes(`"version":"${APP_VERSION}"`)) return fine(`The console answers at ${publicUrl}.`);
    return failed(`Something else answers at ${publicUrl}, with status ${response.status}.`, cure);
  } catch (error) {
    const why = causeOf(error);
    if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/i.test(why)) {
      return failed(
        `The certificate of ${publicUrl} is not trusted here (${why}).`,
        'Renew it, or name the authority that signed it in NODE_EXTRA_CA_CERTS, for the agents too.',
      );
    }
    return warning(
      `The console does not reach itself at ${publicUrl} (${why}). Hosts may reach it all the same.`,
      cure,
    );
  }
}

/** Whether passwords and cookies travel in the open. */
export function checkTls(): Verdict {
  const { protocol, hostname } = new URL(env().publicUrl);
  if (protocol === 'http:' && !isHere(hostname)) {
    return failed(
      'The console is reached over plain http: whoever is in between reads passwords, tokens and secret values.',
      'Put a reverse proxy with a certificate before it, and set BERTH_PUBLIC_URL to its https address.',
    );
  }
  if (protocol === 'https:' && forwardAuthSetting().insecureCookies) {
    return warning(
      'Cookies of protected addresses go over plain http too.',
      'Switch “Insecure cookies” off in Settings → Forward authentication.',
    );
  }
  return fine(
    protocol === 'https:' ? 'The console is reached over https.' : 'The console is reached on its own machine alone.',
  );
}

/** Whether a proxy's word on its clients is believed. */
export function checkProxies(): Verdict {
  const { publicUrl, trustedProxies } = env();
  if (publicUrl.startsWith('http:') || trustedProxies.length > 0) return fine('The addresses of callers are known.');
  return warning(
    'Every caller has the address of the reverse proxy: limits on guessing count all people together.',
    'Name the proxy in BERTH_TRUSTED_PROXIES.',
  );
}

/** Whether names under the domain of ports lead anywhere, and to no cookies of the console. */
export async function checkAppsDomain(): Promise<Verdict> {
  const { appsDomain, publicUrl } = env();
  if (appsDomain === '')
    return skipped('Ports of workspaces do not open through the console: BERTH_APPS_DOMAIN is not set.');
  const name = appsDomain.replace(/:\d+$/, '');
  const own = new URL(publicUrl).hostname;
  if (isHere(name)) return fine(`Ports open under ${appsDomain}, which browsers find by themselves.`);
  if (own.endsWith(`.${name}`) || name === own || name.endsWith(`.${own}`)) {
    return warning(
      `${appsDomain} and the console's own ${own} lie under each other: workspaces could set its cookies.`,
      'Give ports a domain of their own in BERTH_APPS_DOMAIN.',
    );
  }
  const asked = `1--aaaaaaaaaaaaaaa.${name}`;
  try {
    const { address } = await lookup(asked);
    return fine(`${asked} leads to ${address}.`);
  } catch (error) {
    return failed(`${asked} leads nowhere (${causeOf(error)}).`, `Make a wildcard record in DNS: *.${name}.`);
  }
}

/** Whether addresses of workspaces keep away from the console's own. */
export function checkForwardAuth(): Verdict {
  const own = new URL(env().publicUrl).hostname;
  const all = new StoreReader().find(domains, {}, { limit: 1000 });
  const mixed = all
    .map(({ url }) => url)
    .filter((url) => url === own || own.endsWith(`.${url}`) || url.endsWith(`.${own}`));
  if (mixed.length > 0) {
    return failed(
      `The console and workspaces lie under each other: ${someNames(mixed)}. Cookies do not tell them apart.`,
      'Give workspaces a domain of their own.',
    );
  }
  return fine('Addresses of workspaces lie apart from the console.');
}
