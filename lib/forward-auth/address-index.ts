import 'server-only';
import { getDb, type Db } from '@/db/database';
import { versionOf } from '@/db/versions';
import { domains } from '@/lib/domains/collection';
import { listenToChanges, type RecordChange } from '@/lib/records/changes';
import { StoreReader } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import type { ExternalUrl, ShareLevel } from '@/lib/vocabulary/workspace';
import { workspaces, type WorkspaceRow } from '@/lib/workspaces/collection';

/** A workspace that has an address. */
export interface Claim {
  workspace: string;
  owner: string;
}

interface KnownClaim extends Claim {
  isInternal: boolean;
}

/** A port that the console itself serves, and who may open it. */
export interface ServedPort {
  readonly workspace: string;
  readonly port: number;
  readonly level: ShareLevel;
  /** Addresses of the same port that a reverse proxy serves: who may log in there may log in here. */
  readonly urls: readonly string[];
}

/** An external address, and whose it is: of more than one workspace where several have it. Replaced whenever that changes. */
export interface KnownAddress {
  /** `scheme://host` */
  readonly key: string;
  readonly claims: readonly KnownClaim[];
  /** Absent where a reverse proxy serves it. */
  readonly served?: ServedPort;
}

type Part = Pick<WorkspaceRow, 'id' | 'template' | 'created_by' | 'externalUrls'>;
const PARTS = ['id', 'template', 'created_by', 'externalUrls'] as const;

/** Every external address of a workspace by what proxies call it: filled once, then kept current by what is written. */
class AddressIndex {
  private readonly byKey = new Map<string, KnownAddress>();
  /** What each workspace has here, to see whether a write changed it: most only tell a status. */
  private readonly held = new Map<string, { digest: string; keys: string[] }>();
  private names = new Map<string, string>();
  private db: Db | undefined;
  private version = '';

  constructor() {
    listenToChanges({ onCommitted: (changes) => changes.forEach((change) => this.follow(change)) });
  }

  find(key: string): KnownAddress | undefined {
    // Another database after a restore, and writes of other processes, are heard of in no other way.
    if (this.db !== getDb() || this.version !== versionOf([])) this.fill();
    return this.byKey.get(key);
  }

  private fill(): void {
    this.db = getDb();
    this.version = versionOf([]);
    this.byKey.clear();
    this.held.clear();
    const reader = new StoreReader();
    this.names = new Map(reader.findParts(domains, ['id', 'url'], {}).map(({ id, url }) => [id, url]));
    for (const workspace of reader.findParts(workspaces, PARTS, {})) this.put(workspace);
  }

  private follow({ collection, action, id, row }: RecordChange): void {
    if (collection === domains.name) {
      // Which workspaces are under it is found by filling anew: domains hardly ever change.
      if (this.names.get(id) !== (action === 'delete' ? undefined : row.url)) this.db = undefined;
    } else if (collection === workspaces.name && this.db) {
      if (action === 'delete') this.remove(id);
      else this.put(row as Part);
    }
  }

  private put({ id, template, created_by: owner, externalUrls }: Part): void {
    const urls = template ? [] : (externalUrls ?? []);
    const digest = JSON.stringify([owner, urls.map((url) => [this.keyOf(url), url.authentication])]);
    if (this.held.get(id)?.digest === digest) return;
    this.remove(id);
    if (urls.length === 0) return;
    const keys = new Map(urls.map((url) => [this.keyOf(url), url.authentication === 'internal']));
    for (const [key, isInternal] of keys) {
      const others = this.byKey.get(key)?.claims ?? [];
      this.byKey.set(key, { key, claims: [...others, { workspace: id, owner, isInternal }] });
    }
    this.held.set(id, { digest, keys: [...keys.keys()] });
  }

  private remove(id: string): void {
    for (const key of this.held.get(id)?.keys ?? []) {
      const claims = this.byKey.get(key)!.claims.filter(({ workspace }) => workspace !== id);
      if (claims.length === 0) this.byKey.delete(key);
      else this.byKey.set(key, { key, claims });
    }
    this.held.delete(id);
  }

  private keyOf({ scheme, subdomain, domain }: ExternalUrl): string {
    return `${scheme}://${subdomain ? `${subdomain}.` : ''}${this.names.get(domain) ?? ''}`;
  }
}

export function addressIndex(): AddressIndex {
  return singleton('address-index', () => new AddressIndex());
}
