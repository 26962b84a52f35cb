import 'server-only';
import { anyAccountById } from '@/lib/auth/accounts';
import { nowMs } from '@/lib/clock';
import { listenToCredentialEnds } from '@/lib/auth/credential-ends';
import { env } from '@/lib/env';
import { AppError, GENERIC_MESSAGE } from '@/lib/errors';
import type { Outlet } from '@/lib/outlet';
import { actorUserId, credentialOf, guest, type Actor } from '@/lib/policies/actor';
import { lacksSecondFactor } from '@/lib/auth/required-factor';
import { listenToChanges, type RecordChange } from '@/lib/records/changes';
import { StoredFacts } from '@/lib/records/facts';
import { collectionNamed } from '@/lib/records/registry';
import { singleton } from '@/lib/singleton';
import { RealtimeClient } from './client';
import { Delivery } from './delivery';
import { basesOf, parseTopic, type Topic } from './topics';

const IDLE_MS = 5 * 60_000;
const SWEEP_MS = 25_000;
/** Of all topics of an account: they are kept as they were sent. */
const MAX_ACCOUNT_CHARS = 2_000_000;

interface Outgoing {
  client: RealtimeClient;
  event: string;
  data: string;
}

/** All open event streams of the process, found by what they listen to. */
class RealtimeHub {
  private readonly clients = new Map<string, RealtimeClient>();
  private readonly byBase = new Map<string, Map<RealtimeClient, Topic[]>>();
  private readonly byUser = new Map<string, Set<RealtimeClient>>();
  /** Guests, by address. */
  private readonly unnamed = new Map<string, Set<RealtimeClient>>();

  constructor() {
    listenToChanges({
      onCommitted: (changes) => this.onCommitted(changes),
      beforeDelete: (change) => this.beforeDelete(change),
    });
    listenToCredentialEnds((ended) => this.endIdentities(ended));
    setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  get size(): number {
    return this.clients.size;
  }

  /** Throws AppError `rate_limited` where an address has as many streams as may say nothing of who they are. */
  refuseMany(address: string): void {
    if (address === '' || (this.unnamed.get(address)?.size ?? 0) < env().streamsPerAddress) return;
    throw tooManyStreams();
  }

  /** Opens a stream; its first event tells the client its id. */
  connect(outlet: Outlet, address = ''): RealtimeClient {
    const client = new RealtimeClient(outlet, (closed) => this.forget(closed));
    client.address = address;
    this.clients.set(client.id, client);
    this.setActor(client, guest);
    return client;
  }

  /** Replaces what a client listens to, as this actor. Throws AppError for unknown clients and changed identities. */
  subscribe(clientId: string, { actor, names }: { actor: Actor; names: readonly string[] }): void {
    const client = this.clients.get(clientId);
    if (!client) throw new AppError('not_found', 'Missing or invalid client id.');
    const known = client.actor;
    if (known.kind !== 'guest' && (known.kind !== actor.kind || actorUserId(known) !== actorUserId(actor))) {
      throw new AppError('forbidden', "The current and the previous request authorization don't match.");
    }
    const topics = [...new Set(names)].map(parseTopic);
    this.refuseBeyond(client, actor, topics);
    this.setActor(client, actor);
    this.setTopics(client, topics);
  }

  /** An account has so many streams and so many texts of topics, all its streams together. Throws AppError otherwise. */
  private refuseBeyond(client: RealtimeClient, actor: Actor, topics: readonly Topic[]): void {
    if (actor.kind === 'guest') return;
    const others = [...(this.byUser.get(actorUserId(actor)) ?? [])].filter((each) => each !== client);
    if (others.length >= env().streamsPerAccount) throw tooManyStreams();
    const chars = charsOf(topics) + others.reduce((sum, other) => sum + charsOf(other.topics), 0);
    if (chars <= MAX_ACCOUNT_CHARS) return;
    const problem = { code: 'validation_length_too_long', message: 'All topics of an account are too long together.' };
    throw new AppError('invalid', GENERIC_MESSAGE, { fields: { subscriptions: problem } });
  }

  /** Sends a message of our own to one client that listens to `name`, and ends that subscription. False when nobody does. */
  sendOnce(clientId: string, name: string, data: unknown): boolean {
    const client = this.clients.get(clientId);
    if (!client?.topics.some((topic) => topic.name === name)) return false;
    client.send(name, JSON.stringify(data));
    this.setTopics(
      client,
      client.topics.filter((topic) => topic.name !== name),
    );
    return true;
  }

  /** Ends every stream. */
  closeAll(): void {
    for (const client of [...this.clients.values()]) client.close();
  }

  private onCommitted(changes: readonly RecordChange[]): void {
    const facts = this.factsOfListeners();
    for (const change of changes) {
      if (change.action !== 'delete') for (const message of this.outgoing(change, facts)) send(message);
      if (change.collection === 'users') this.refreshAccount(change);
      if (change.collection === 'settings') this.endIdentitiesWithoutFactor();
    }
  }

  /** Who may see the record is decided while it is there; they are told once it is gone. */
  private beforeDelete(change: RecordChange): (() => void) | undefined {
    const messages = this.outgoing(change, this.factsOfListeners());
    return messages.length === 0 ? undefined : () => messages.forEach(send);
  }

  /** Whoever listens may be asked about. */
  private factsOfListeners(): StoredFacts {
    return new StoredFacts(() => this.byUser.keys());
  }

  private outgoing(change: RecordChange, facts: StoredFacts): Outgoing[] {
    const collection = collectionNamed(change.collection);
    if (!collection || this.clients.size === 0) return [];
    const delivery = new Delivery(collection, change, facts);
    const messages: Outgoing[] = [];
    for (const base of basesOf(collection, change.id)) {
      for (const [client, topics] of this.byBase.get(base) ?? []) {
        for (const topic of topics) {
          const data = delivery.messageFor(client.actor, topic);
          if (data !== undefined) messages.push({ client, event: topic.name, data });
        }
      }
    }
    return messages;
  }

  /** A changed account changes what its clients may see; a new token key or a deletion makes them guests. */
  private refreshAccount({ action, id, row }: RecordChange): void {
    for (const client of [...(this.byUser.get(id) ?? [])]) {
      const isAdmin = row.isAdmin === true;
      const { secondFactorSince } = row as { secondFactorSince: string };
      const isOver = client.tokenKey !== row.tokenKey || lacksSecondFactor({ isAdmin, secondFactorSince });
      if (action === 'delete' || isOver) this.setActor(client, guest);
      else if (client.actor.kind === 'user') client.actor = { ...client.actor, isAdmin };
      else if (!isAdmin) this.setActor(client, guest);
    }
  }

  /** The console may have begun to demand a second factor. */
  private endIdentitiesWithoutFactor(): void {
    for (const client of this.clients.values()) {
      const account = anyAccountById(actorUserId(client.actor));
      if (account && lacksSecondFactor(account)) this.setActor(client, guest);
    }
  }

  /** What a session or API token held open ends with it: pages learn of it by their next connect. */
  private endIdentities(ended: ReadonlySet<string>): void {
    for (const client of [...this.clients.values()]) {
      const by = credentialOf(client.actor);
      if (!by || !ended.has(by.id)) continue;
      this.setActor(client, guest);
      client.close();
    }
  }

  private setActor(client: RealtimeClient, actor: Actor): void {
    this.dropFrom(this.byUser, actorUserId(client.actor), client);
    this.dropFrom(this.unnamed, client.address, client);
    client.actor = actor;
    const userId = actorUserId(actor);
    if (userId === '') {
      if (client.address !== '') putInto(this.unnamed, client.address, client);
      return;
    }
    client.tokenKey = anyAccountById(userId)?.tokenKey ?? '';
    putInto(this.byUser, userId, client);
  }

  private setTopics(client: RealtimeClient, topics: readonly Topic[]): void {
    for (const { base } of client.topics) this.dropFrom(this.byBase, base, client);
    client.topics = topics;
    for (const topic of topics) {
      // A line break would end the event's name; such a topic is accepted and stays silent.
      if (/[\r\n]/.test(topic.name)) continue;
      const clients = this.byBase.get(topic.base) ?? new Map<RealtimeClient, Topic[]>();
      clients.set(client, [...(clients.get(client) ?? []), topic]);
      this.byBase.set(topic.base, clients);
    }
  }

  private forget(client: RealtimeClient): void {
    this.setTopics(client, []);
    this.dropFrom(this.byUser, actorUserId(client.actor), client);
    this.dropFrom(this.unnamed, client.address, client);
    this.clients.delete(client.id);
  }

  private dropFrom<S extends { delete(client: RealtimeClient): boolean; readonly size: number }>(
    index: Map<string, S>,
    key: string,
    client: RealtimeClient,
  ): void {
    const clients = index.get(key);
    clients?.delete(client);
    if (clients?.size === 0) index.delete(key);
  }

  private sweep(): void {
    const idleSince = nowMs() - IDLE_MS;
    for (const client of [...this.clients.values()]) {
      if (client.lastMessageMs < idleSince) client.close();
      else client.ping();
    }
  }
}

function putInto(index: Map<string, Set<RealtimeClient>>, key: string, client: RealtimeClient): void {
  const clients = index.get(key) ?? new Set();
  index.set(key, clients.add(client));
}

function charsOf(topics: readonly Topic[]): number {
  return topics.reduce((sum, { name }) => sum + name.length, 0);
}

function tooManyStreams(): AppError {
  return new AppError('rate_limited', 'Too many event streams are open. Please close some.', { retryAfterSeconds: 30 });
}

function send({ client, event, data }: Outgoing): void {
  client.send(event, data);
}

/** The process's one hub. */
export function realtimeHub(): RealtimeHub {
  return singleton('realtime-hub', () => new RealtimeHub());
}
