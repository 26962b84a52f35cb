import 'server-only';
import type { HostRow } from '@/lib/hosts/collection';
import { askHost } from '@/lib/hosts/link/ask-host';
import { findTraefik } from '@/lib/hosts/proxy/find-traefik';
import { ROUTERS_MAX, type TraefikReport, traefikReportSchema } from '@/lib/protocol/proxy-streams';
import { failed, fine, skipped, someNames, type Verdict } from '@/lib/verdict';
import { unanswered } from './unanswered';

export interface WantedRoute {
  name: string;
  /** Whether its workspace runs: others have no routers. */
  isUp: boolean;
}

interface RouterQuestion {
  host: HostRow;
  wanted: readonly WantedRoute[];
  /** What all the names have in common. */
  search: string;
  signal: AbortSignal;
}

/** Whether a host's Traefik has routers for the names, and takes them as they are. */
export async function checkRouters({ host, wanted, search, signal }: RouterQuestion): Promise<Verdict> {
  if (!host.reverse_proxy?.isAdded) {
    return failed(`${host.name} has no reverse proxy, so that no address leads there.`, "Add one on the host's page.");
  }
  try {
    const open = { ...findTraefik(host), search };
    return judgeRouters(await askHost(host.id, open, { schema: traefikReportSchema, signal }), { host, wanted });
  } catch (error) {
    return unanswered(error);
  }
}

/** What to say of the routers for the names. */
export function judgeRouters(
  { routers, entryPoints }: Pick<TraefikReport, 'routers' | 'entryPoints'>,
  { host, wanted }: Pick<RouterQuestion, 'host' | 'wanted'>,
): Verdict {
  const found = wanted.map((route) => {
    const own = routers.filter(({ rule }) => rule.includes(`Host(\`${route.name}\`)`));
    return { ...route, own, wrong: own.find(({ status, errors }) => status !== 'enabled' || errors.length > 0) };
  });
  const wrong = found.find((route) => route.wrong);
  if (wrong?.wrong) {
    const { errors, status } = wrong.wrong;
    const why = (errors.join('; ') || status).replace(/\.$/, '');
    const known = entryPoints.map(({ name }) => name).filter((name) => name !== 'traefik');
    return failed(`Traefik does not take the router of ${wrong.name} as it is: ${why}.`, cureOf(why, known));
  }
  const missing = found.filter(({ own, isUp }) => own.length === 0 && isUp);
  if (missing.length > 0 && routers.length >= ROUTERS_MAX) {
    return skipped('Traefik has more routers than it tells at once, so that nobody can say which are missing.');
  }
  if (missing.length > 0) {
    return failed(`Traefik has no router for ${someNames(missing.map(({ name }) => name))}.`, cureOfMissing(host));
  }
  const served = found.filter(({ own }) => own.length > 0).map(({ name }) => name);
  if (served.length === 0) return skipped('There are no routers while the workspaces do not run.');
  return fine(`Traefik has a router for ${someNames(served)}.`);
}

function cureOf(why: string, entryPoints: readonly string[]): string {
  if (/entry ?point/i.test(why)) {
    return `Name an entry point of Traefik in the host's reverse proxy: it has ${someNames(entryPoints)}.`;
  }
  return "Look into the log of Traefik, and check the host's reverse proxy.";
}

function cureOfMissing({ reverse_proxy: proxy }: HostRow): string {
  if (proxy?.type === 'traefikFileProvider') {
    return `See that Traefik watches the folder ${proxy.configFileLocation} ([providers.file]), and redeploy the workspace.`;
  }
  return 'See that Traefik asks the engine of this host ([providers.docker]), and redeploy the workspace.';
}
