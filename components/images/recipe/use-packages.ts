'use client';

import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import { messageOf } from '@/components/data/problems';
import { useSettled } from '@/components/data/use-settled';
import type { PackageManager } from '@/lib/vocabulary/package-versions';

interface Lookup {
  state: 'ready' | 'loading' | 'unreachable';
  message: string;
}

interface FoundPackages extends Lookup {
  items: { name: string; description: string; latestVersion: string; channel: string }[];
}

export interface PackageFacts extends Lookup {
  name: string;
  description: string;
  latestVersion: string;
  versions: string[];
}

/** Where a package is looked for: the channels in the order in which they are asked. */
export interface PackagePlace {
  manager: PackageManager;
  channels: string[];
}

const FRESH_MS = 60_000;
const ASK_AGAIN_MS = 1500;
const CHANNELS_MAX = 10;
/** What may be a package at all: nothing else is asked about. */
const NAME = /^[A-Za-z0-9_][\w.-]*$/;

/** The name of a package as indexes know it, without extras. */
export function nameOnIndex(typed: string): string {
  const name = typed.replace(/\[.*$/, '').trim();
  return NAME.test(name) ? name : '';
}

function addressOf(call: 'search' | 'versions', { manager, channels }: PackagePlace, asked: Record<string, string>) {
  const query = new URLSearchParams({ manager, ...asked });
  if (manager === 'conda') for (const channel of channels.slice(0, CHANNELS_MAX)) query.append('channel', channel);
  return `/api/packages/${call}?${query.toString()}`;
}

function lookUp<T extends Lookup>(address: string) {
  return queryOptions({
    queryKey: ['packages', address],
    queryFn: async () => (await ready()).send<T>(address, { method: 'GET' }),
    // What is on its way is asked for again, what failed after a while.
    staleTime: ({ state }) => (state.data?.state === 'ready' ? FRESH_MS : 0),
    refetchInterval: ({ state }) => (state.data?.state === 'loading' ? ASK_AGAIN_MS : false),
    retry: false,
  });
}

/** What an index says of one package. */
export function packageFacts(place: PackagePlace, name: string) {
  return lookUp<PackageFacts>(addressOf('versions', place, { name }));
}

/** Packages whose names fit what is typed, a moment after the typing paused. */
export function usePackageSearch(place: PackagePlace, typed: string, isOpen: boolean) {
  const query = useSettled(typed.replace(/\[.*$/, '').trim());
  const isAsked = isOpen && query !== '';
  const { data, error, isFetching } = useQuery({
    ...lookUp<FoundPackages>(addressOf('search', place, { query })),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const failure = error ? (messageOf(error) ?? error.message) : '';
  return { found: isAsked ? data : undefined, failure: isAsked ? failure : '', isFetching };
}

/** What is known of a package, once its name stands still. */
export function usePackageFacts(place: PackagePlace, name: string, isWanted: boolean) {
  const settled = useSettled(nameOnIndex(name));
  const isAsked = isWanted && settled !== '';
  const { data, error } = useQuery({ ...packageFacts(place, settled), enabled: isAsked });
  const failure = error ? (messageOf(error) ?? error.message) : '';
  return { facts: isAsked ? data : undefined, failure: isAsked ? failure : '' };
}
