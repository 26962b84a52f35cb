import type { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import type { ExternalUrl } from '@/lib/vocabulary/workspace';
import type { CheckContext, RowOf } from '@/lib/records/collection';
import { checkUse, missingRelation } from '@/lib/records/attached';
import { hosts } from '@/lib/hosts/collection';
import { domains } from '@/lib/domains/collection';
import { sealOrKeep, storedList } from '@/lib/records/secret-values';
import { addressProblem, findTaken } from './address-checks';
import { externalUrlsSchema } from '@/lib/vocabulary/workspace-schemas';

type Context = CheckContext<RowOf<typeof workspacesTable>>;

export const domainUse = {
  act: 'deploy',
  refusal: 'You do not have permission to deploy under this domain.',
} as const;

/**
 * Addresses that can be given: by a host with a reverse proxy, under domains that are there, on this host or on none, and open
 * to the caller; none of them twice or somebody else's.
 */
export function checkExternalUrls(context: Context): FieldProblem | FieldProblems | undefined {
  const urls = urlsOf(context);
  if (!urls) return undefined;
  const host = context.tx.get(hosts, context.row.host);
  const refused = host && addressProblem(host, urls);
  if (refused) return refused;
  const taken = context.row.template ? undefined : findTaken(context.tx, context.row, context.actor);
  // What the record holds already is not asked about again; another name under the same domain is something new.
  const known = new Set((context.before?.externalUrls ?? []).map(addressOf));
  const problems: FieldProblems = {};
  const seen = new Set<string>();
  urls.forEach((url, index) => {
    const domainProblem = checkDomain(context, url.domain, known.has(addressOf(url)));
    const address = `${url.scheme}://${addressOf(url)}`;
    if (domainProblem) problems[index] = { domain: domainProblem };
    else if (seen.has(address)) {
      problems[index] = { subdomain: { code: 'validation_duplicate', message: 'The address is used twice.' } };
    } else if (taken?.has(index)) {
      problems[index] = { subdomain: taken.get(index)! };
    } else if (url.authentication === 'basic') {
      const passwords = checkPasswords(url, context.before?.externalUrls);
      if (passwords) problems[index] = { users: passwords };
    }
    seen.add(address);
  });
  return Object.keys(problems).length > 0 ? problems : undefined;
}

/** The addresses as sent, or as stored; undefined where the field itself refuses them. What is sealed is no password that may be typed. */
export function urlsOf({ row, sent }: Pick<Context, 'row' | 'sent'>): ExternalUrl[] | undefined {
  if (!sent.has('externalUrls')) return storedList(row.externalUrls);
  const parsed = externalUrlsSchema.safeParse(row.externalUrls ?? []);
  return parsed.success ? parsed.data : undefined;
}

const addressOf = ({ subdomain, domain }: ExternalUrl): string => `${subdomain}.${domain}`;

function checkDomain({ actor, tx, row }: Context, id: string, isKnown: boolean): FieldProblem | undefined {
  const domain = tx.get(domains, id);
  if (!domain) return missingRelation();
  const refused = isKnown ? undefined : checkUse(domains, { ...domainUse, actor, tx, ids: [id] });
  if (refused) return refused;
  if (domain.host === '' || domain.host === row.host) return undefined;
  return { code: 'validation_wrong_host', message: 'The domain is served by another host.' };
}

/** Basic authentication needs someone to let in, and a password for everyone whose password is not known. */
function checkPasswords(url: ExternalUrl, stored: unknown): FieldProblem | FieldProblems | undefined {
  if (url.users.length === 0) return { code: 'validation_required', message: 'Please add at least one.' };
  const problems: FieldProblems = {};
  url.users.forEach(({ username, password }, index) => {
    if (password === '' && passwordOf(stored, url, username) === '') {
      problems[index] = { password: { code: 'validation_required', message: 'Cannot be blank.' } };
    }
  });
  return Object.keys(problems).length > 0 ? problems : undefined;
}

/** The sealed password of a user at an address; empty without one. */
export function passwordOf(stored: unknown, { subdomain, domain }: ExternalUrl, username: string): string {
  const same = storedList<ExternalUrl>(stored).find((url) => url.subdomain === subdomain && url.domain === domain);
  return same?.users.find((user) => user.username === username)?.password ?? '';
}

/** An empty password keeps the one that is stored for the same name at the same address. */
export function sealUrlPasswords(value: unknown, stored: unknown): ExternalUrl[] {
  return storedList<ExternalUrl>(value).map((url) => ({
    ...url,
    users: url.users.map(({ username, password }) => ({
      username,
      password: sealOrKeep(password, passwordOf(stored, url, username)),
    })),
  }));
}

export function hideUrlPasswords(stored: unknown): ExternalUrl[] {
  return storedList<ExternalUrl>(stored).map((url) => ({
    ...url,
    users: url.users.map(({ username }) => ({ username, password: '' })),
  }));
}
