import 'server-only';
import { actorUserId, hasFullAccess, type Actor } from '@/lib/policies/actor';
import { allows } from '@/lib/policies/evaluate';
import { AppError } from '@/lib/errors';
import type { RecordChange } from '@/lib/records/changes';
import type { Collection } from '@/lib/records/collection';
import { StoredFacts } from '@/lib/records/facts';
import { matchRecord, showRecords } from '@/lib/records/reader';
import type { Topic } from './topics';

/** What the filters of one account may take for one change, while nothing else runs; its texts as long, and so many characters. */
const FILTERS_MS = 100;
const TEXT_CHARS = 4_000_000;

/** Actors for whom every rule, filter and record reads the same. */
function keyOf(actor: Actor): string {
  return hasFullAccess(actor) ? '*' : actorUserId(actor);
}

/**
 * Decides who hears of one change and what they get. The grants are read once for all clients; rules are then evaluated in
 * memory, once per user; texts are made once per shape.
 */
export class Delivery {
  private readonly facts: StoredFacts;
  private readonly decisions = new Map<string, boolean>();
  private readonly texts = new Map<string, string | undefined>();
  private readonly written = new Map<string, { ms: number; chars: number }>();
  private readonly filteredMs = new Map<string, number>();

  constructor(
    private readonly collection: Collection,
    private readonly change: RecordChange,
    facts = new StoredFacts(),
  ) {
    this.facts = facts;
  }

  /** The message for a subscriber, or undefined when there is none for them. */
  messageFor(actor: Actor, topic: Topic): string | undefined {
    if (!this.isOpenTo(actor, topic)) return undefined;
    return this.textFor(actor, topic);
  }

  private isOpenTo(actor: Actor, { rule, filter }: Topic): boolean {
    const who = keyOf(actor);
    const byRule = this.remember(`${rule}|${who}`, () =>
      allows(this.collection.policy[rule], actor, this.change.row, this.facts),
    );
    if (!byRule || filter === '') return byRule;
    return this.remember(`${rule}|${who}|${filter}`, () => this.matches(actor, { rule, filter }));
  }

  private remember(key: string, decide: () => boolean): boolean {
    let decision = this.decisions.get(key);
    if (decision === undefined) this.decisions.set(key, (decision = decide()));
    return decision;
  }

  /** A filter that is none, or that the caller may not use, never matches; nor do those of who asks for too much at once. */
  private matches(actor: Actor, { rule, filter }: Pick<Topic, 'rule' | 'filter'>): boolean {
    const who = actorUserId(actor);
    const spentMs = this.filteredMs.get(who) ?? 0;
    if (spentMs > FILTERS_MS) return false;
    const start = performance.now();
    try {
      return matchRecord(this.collection, actor, { id: this.change.id, filter, rule }) !== undefined;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    } finally {
      this.filteredMs.set(who, spentMs + performance.now() - start);
    }
  }

  private textFor(actor: Actor, { expand, fields }: Topic): string | undefined {
    const isPersonal = expand !== '' || this.collection.present !== undefined;
    const who = this.collection.present ? `${keyOf(actor)}|${actorUserId(actor)}` : keyOf(actor);
    const key = `${isPersonal ? who : ''}\n${expand}\n${fields}`;
    if (!this.texts.has(key)) this.texts.set(key, this.textInBudget(actor, { expand, fields }));
    return this.texts.get(key);
  }

  /** Of who asks for too many different texts at once only the first are made. */
  private textInBudget(actor: Actor, options: { expand: string; fields: string }): string | undefined {
    const who = actorUserId(actor);
    const spent = this.written.get(who) ?? { ms: 0, chars: 0 };
    this.written.set(who, spent);
    if (spent.ms > FILTERS_MS || spent.chars > TEXT_CHARS) return undefined;
    const start = performance.now();
    const text = this.makeText(actor, options);
    spent.ms += performance.now() - start;
    spent.chars += text?.length ?? 0;
    return text;
  }

  private makeText(actor: Actor, options: { expand: string; fields: string }): string | undefined {
    try {
      const [record] = showRecords(this.collection, [this.change.row], { actor, options, isRealtime: true });
      return JSON.stringify({ action: this.change.action, record });
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }
}
