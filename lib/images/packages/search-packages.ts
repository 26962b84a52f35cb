import 'server-only';
import { AppError } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import { plainPackageName } from '@/lib/vocabulary/package-names';
import type { PackageManager } from '@/lib/vocabulary/package-versions';
import { USUAL_CHANNEL } from '../generator/requirements';
import { type ListSource, NoSuchList, channelNames, channelVersions, pypiNames } from './list-sources';
import type { ListState } from './lists';
import { packageCache } from './package-cache';
import { rankAll } from './rank';
import { pypiSource } from './sources';
import { latestOf, newestFirst } from './version-order';

/** Whether everything was looked at, something is still on its way, or an index could not be asked. */
export const LOOKUP_STATES = ['ready', 'loading', 'unreachable'] as const;
type LookupState = (typeof LOOKUP_STATES)[number];

interface Lookup {
  state: LookupState;
  /** What is wrong, in words; empty where nothing is. */
  message: string;
}

export interface FoundPackage {
  name: string;
  description: string;
  latestVersion: string;
  /** Of conda. */
  channel: string;
}

export interface PackageSearch extends Lookup {
  items: FoundPackage[];
}

export interface PackageVersions extends Lookup {
  name: string;
  description: string;
  latestVersion: string;
  versions: string[];
}

/** Called before something is fetched from an index: throws where the caller has had enough of it. */
export interface Spending {
  list: () => void;
  question: () => void;
}

interface Place {
  manager: PackageManager;
  /** Of conda, the first to be asked first; without any it is the one that images take then. */
  channels: readonly string[];
}

const channelsOf = (channels: readonly string[]): string[] =>
  channels.length > 0 ? [...new Set(channels)].slice(0, limits.channelsSearched) : [USUAL_CHANNEL];

/** The state of several lists together. */
function stateOfAll(states: readonly ListState[]): Lookup {
  const messages = [...new Set(states.flatMap(({ error }) => (error ? [error.message] : [])))];
  const isLoading = states.some((each) => each.isLoading);
  return {
    state: isLoading ? 'loading' : messages.length > 0 ? 'unreachable' : 'ready',
    message: messages.join(' '),
  };
}

/** The names that a channel has, from what it says of its packages, or else of its files. */
async function namesOf(channel: string, spending: Spending): Promise<ListState> {
  const { lists } = packageCache().open();
  const named = await lists.get(channelNames(channel), spending.list);
  return named.error instanceof NoSuchList ? lists.get(channelVersions(channel), spending.list) : named;
}

/** The packages that fit best, from what is kept on disk. An index that can't be asked is told of, with what is known. */
export async function searchPackages(
  { manager, channels }: Place,
  query: string,
  spending: Spending,
): Promise<PackageSearch> {
  return manager === 'pypi' ? searchPypi(query, spending) : searchChannels(channelsOf(channels), query, spending);
}

async function searchPypi(query: string, spending: Spending): Promise<PackageSearch> {
  const { lists, projects } = packageCache().open();
  const state = await lists.get(pypiNames(), spending.list);
  const found = state.list?.search(query, limits.packagesFound) ?? [];
  const known = projects.known(
    pypiSource(),
    found.map(({ name }) => plainPackageName(name)),
  );
  const items = found.map(({ name }, index) => ({
    name,
    description: known[index]?.description ?? '',
    latestVersion: known[index]?.latestVersion ?? '',
    channel: '',
  }));
  return { items, ...stateOfAll([state]) };
}

async function searchChannels(channels: string[], query: string, spending: Spending): Promise<PackageSearch> {
  const states = await Promise.all(channels.map((channel) => namesOf(channel, spending)));
  // The first channel that has a name is the one that it comes from.
  const byKey = new Map<string, FoundPackage & { key: string }>();
  for (const [index, { list }] of states.entries()) {
    for (const found of list?.search(query, limits.packagesFound) ?? []) {
      const key = plainPackageName(found.name);
      if (!byKey.has(key)) byKey.set(key, { ...found, channel: channels[index]!, key });
    }
  }
  const items = rankAll([...byKey.values()], plainPackageName(query))
    .slice(0, limits.packagesFound)
    .map(({ name, description, latestVersion, channel }) => ({ name, description, latestVersion, channel }));
  return { items, ...stateOfAll(states) };
}

/** What is known of one package, and its versions, the newest first. Empty where no index has it. */
export async function listPackageVersions(
  { manager, channels }: Place,
  name: string,
  spending: Spending,
): Promise<PackageVersions> {
  return manager === 'pypi' ? ofPypi(name, spending) : ofChannels(channelsOf(channels), name, spending);
}

async function ofPypi(asked: string, spending: Spending): Promise<PackageVersions> {
  const name = asked.replace(/\[.*$/, '');
  const nothing = { name, description: '', latestVersion: '', versions: [] };
  try {
    const { projects } = packageCache().open();
    const { project, error } = await projects.get(pypiSource(), plainPackageName(name), spending.question);
    const state = error ? ('unreachable' as const) : ('ready' as const);
    return { ...nothing, ...project, state, message: error?.message ?? '' };
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error)) throw error;
    return { ...nothing, state: 'unreachable', message: error.message };
  }
}

async function ofChannels(channels: string[], name: string, spending: Spending): Promise<PackageVersions> {
  const { lists } = packageCache().open();
  const get = (source: ListSource) => lists.get(source, spending.list);
  const [names, files] = await Promise.all([
    Promise.all(channels.map((channel) => namesOf(channel, spending))),
    Promise.all(channels.map((channel) => get(channelVersions(channel)))),
  ]);
  const told = names.map(({ list }) => list?.find(name)).find(Boolean);
  const versions = newestFirst([...new Set(files.flatMap(({ list }) => list?.listVersions(name) ?? []))]);
  return {
    name: told?.name ?? name,
    description: told?.description ?? '',
    latestVersion: told?.latestVersion || latestOf(versions),
    versions,
    ...stateOfAll(files),
  };
}
