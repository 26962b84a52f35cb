import 'server-only';
import { domainsTable } from '@/db/schema/domains';
import { filesTable } from '@/db/schema/files';
import { hostsTable } from '@/db/schema/hosts';
import { imagesTable } from '@/db/schema/images';
import { networksTable } from '@/db/schema/networks';
import { usersTable } from '@/db/schema/users';
import { volumesTable } from '@/db/schema/volumes';
import { workspacesTable } from '@/db/schema/workspaces';
import type { AnyRow } from '@/lib/records/collection';
import { type Stored, StoreReader } from '@/lib/records/transaction';
import type { Carried, Named } from './format';

const stored: Readonly<Record<Carried, Stored>> = {
  domains: { name: 'domains', table: domainsTable },
  files: { name: 'files', table: filesTable },
  networks: { name: 'networks', table: networksTable },
  volumes: { name: 'volumes', table: volumesTable },
  images: { name: 'images', table: imagesTable },
  workspaces: { name: 'workspaces', table: workspacesTable },
};
const hosts = { name: 'hosts', table: hostsTable };
const users = { name: 'users', table: usersTable };

/** Which fields name a record: its own name, and the host that it is on. */
const NAME_FIELD: Partial<Record<Carried, string>> = { domains: 'url' };
const HOST_FIELD: Partial<Record<Carried, string>> = {
  networks: 'host',
  volumes: 'host',
  images: 'build_on',
  workspaces: 'host',
};

export function nameField(kind: Carried): string {
  return NAME_FIELD[kind] ?? 'name';
}

export function hostField(kind: Carried): string | undefined {
  return HOST_FIELD[kind];
}

export function isCarried(collection: string): collection is Carried {
  return Object.hasOwn(stored, collection);
}

/** Names for ids and ids for names, in this console. */
export class Names {
  private readonly store = new StoreReader();

  rowsOf(kind: Carried): AnyRow[] {
    return this.store.find(stored[kind], {}) as AnyRow[];
  }

  nameOf(kind: Carried, row: AnyRow): Named {
    const field = hostField(kind);
    const host = field ? (this.store.get(hosts, String(row[field]))?.name ?? '') : '';
    const named: Named = { name: String(row[nameField(kind)]), host };
    if (kind !== 'images') return named;
    const { repository, tag, template } = row;
    return { ...named, image: { repository: String(repository), tag: String(tag), template: template === true } };
  }

  nameOfId(kind: Carried, id: string): Named | undefined {
    const row = this.store.get(stored[kind], id) as AnyRow | undefined;
    return row && this.nameOf(kind, row);
  }

  hostName(id: string): string | undefined {
    return this.store.get(hosts, id)?.name;
  }

  hostId(name: string): string | undefined {
    return this.store.find(hosts, { name }, { limit: 1 })[0]?.id;
  }

  userName(id: string): string {
    return this.store.get(users, id)?.username ?? '';
  }

  userId(username: string): string | undefined {
    return username === '' ? undefined : this.store.find(users, { username }, { limit: 1 })[0]?.id;
  }

  /** Whose records are that have no owner here: the first admin. */
  adminId(): string | undefined {
    return this.store.find(users, { isAdmin: true, enabled: true }, { orderBy: 'created', limit: 1 })[0]?.id;
  }

  /** The record of that name; of images that share it none where the name alone is told, else the oldest. */
  idOf(kind: Carried, { name, host, image }: Named): string | undefined {
    const field = hostField(kind);
    const hostId = field ? this.hostId(host) : undefined;
    if (field && hostId === undefined) return undefined;
    const match = { [nameField(kind)]: name, ...(field && { [field]: hostId }), ...image } as never;
    const [found, other] = this.store.find(stored[kind], match, { orderBy: 'created' as never, limit: 2 }) as AnyRow[];
    const isDoubtful = other !== undefined && image === undefined;
    return found && !isDoubtful ? String(found.id) : undefined;
  }
}
