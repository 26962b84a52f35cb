import 'server-only';
import { versionOf } from '@/db/versions';
import { nowMs } from '@/lib/clock';
import { Lru } from '@/lib/lru';
import { StoreReader } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import { appKey, type AppName, readAppHost } from '@/lib/vocabulary/app-address';
import { shareOf } from '@/lib/vocabulary/workspace';
import { workspaces } from '@/lib/workspaces/collection';
import { hostNameOf } from '@/lib/workspaces/routes-of';
import { addressIndex, type KnownAddress } from './address-index';
import { appsPlace } from '@/lib/settings/apps-place';

const LIMIT = 5000;
const READ_OF = ['workspaces', 'domains'];
const PARTS = ['id', 'template', 'created_by', 'externalUrls', 'portShares'] as const;

interface Kept {
  version: string;
  /** When a date passes that it depends on; 0 for never. */
  untilMs: number;
  digest: string;
  address: KnownAddress;
}

const kept = () => singleton('served-addresses', () => new Lru<Kept>(LIMIT));

/** An address by its key: one that a reverse proxy serves, or the console itself. The same object as long as nothing about it changes. */
export function findAddress(key: string): KnownAddress | undefined {
  const known = addressIndex().find(key);
  const place = appsPlace();
  if (known || !place) return known;
  const [scheme, host = ''] = key.split('://');
  const app = scheme === place.scheme ? readAppHost(host, place)?.app : undefined;
  return app && findServed(app);
}

/** When the level of a port that the console serves ends by itself, in milliseconds since the epoch; Infinity where it doesn't. */
export function servedUntilMs(app: AppName): number {
  const place = findServed(app) && appsPlace();
  return (place && kept().get(appKey(place, app))?.untilMs) || Infinity;
}

/** The address at which the console serves a port; undefined where there is no such workspace. */
export function findServed(app: AppName): KnownAddress | undefined {
  const place = appsPlace();
  if (!place) return undefined;
  const key = appKey(place, app);
  const version = versionOf(READ_OF);
  const known = kept().get(key);
  if (known?.version === version && (known.untilMs === 0 || nowMs() < known.untilMs)) return known.address;
  const read = readServed(key, app);
  if (!read) return undefined;
  const digest = JSON.stringify(read.address);
  const address = known?.digest === digest ? known.address : read.address;
  kept().set(key, { version, untilMs: read.untilMs, digest, address });
  return address;
}

function readServed(key: string, { workspace: id, port }: AppName): Pick<Kept, 'address' | 'untilMs'> | undefined {
  const reader = new StoreReader();
  const [row] = reader.findParts(workspaces, PARTS, { id });
  if (!row || row.template) return undefined;
  const { level, untilMs } = shareOf(row.portShares, port, nowMs());
  const urls = (row.externalUrls ?? [])
    .filter((url) => url.port === port)
    .map((url) => `${url.scheme}://${hostNameOf(reader, url) ?? ''}`);
  const claims = [{ workspace: id, owner: row.created_by, isInternal: true }];
  return { address: { key, claims, served: { workspace: id, port, level, urls } }, untilMs };
}
