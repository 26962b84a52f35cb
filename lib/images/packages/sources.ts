import 'server-only';
import { env } from '@/lib/env';
import { AllowedSources } from '@/lib/protocol/allowed-sources';

const USUAL_INDEX = 'https://pypi.org/simple';
const USUAL_CHANNELS = 'https://conda.anaconda.org';

/** A place that packages are looked up at. */
export interface PackageSource {
  /** Without a slash at its end. */
  url: string;
  /** Whether an admin named it, who may have meant the own network. */
  isTrusted: boolean;
  sources: AllowedSources;
}

const plain = (url: string): string => new URL(url).href.replace(/\/+$/, '');
const allowed = () => new AllowedSources(env().allowedSources);

/** The simple index that images get their pypi packages from. */
export function pypiSource(): PackageSource {
  return { url: plain(env().pypiIndexUrl || USUAL_INDEX), isTrusted: true, sources: allowed() };
}

/** Where the simple index has the JSON of a project, as PyPI and most others lay it out. Undefined for any other layout. */
export function projectAddress({ url }: PackageSource, project: string): string | undefined {
  return url.endsWith('/simple') ? `${url.slice(0, -'/simple'.length)}/pypi/${project}/json` : undefined;
}

/** A conda channel: below the place that the console is set to, or by its whole address. */
export function channelSource(channel: string): PackageSource {
  const base = plain(env().condaUrl || USUAL_CHANNELS);
  const url = plain(/^https?:\/\//.test(channel) ? channel : `${base}/${channel}`);
  return { url, isTrusted: url.startsWith(`${base}/`), sources: allowed() };
}
