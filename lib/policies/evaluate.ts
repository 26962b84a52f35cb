import { actorUserId, hasFullAccess, type Actor } from './actor';
import type { GrantedResource, Rule } from './rules';

/** A record as rules see it: by wire name. */
export type RecordFacts = Readonly<Record<string, unknown>>;

/** What a rule may need beyond the record itself. */
export interface Facts {
  /** Whether the user holds one of the flags on the resource. */
  hasGrant(grant: { resource: GrantedResource; resourceId: string; userId: string; flags: readonly string[] }): boolean;
  /** The record that a relation points to. */
  related(collection: string, id: string): RecordFacts | undefined;
}

/** Whether the rule is closed to everyone over the API. */
export function isClosed(rule: Rule): boolean {
  return rule.kind === 'nobody';
}

/** Whether the actor passes the rule for this record. */
export function allows(rule: Rule, actor: Actor, record: RecordFacts, facts: Facts): boolean {
  const decided = decideWithoutRecord(rule, actor);
  if (decided !== undefined) return decided;
  const userId = actorUserId(actor);
  switch (rule.kind) {
    case 'owner':
      return record.created_by === userId;
    case 'self':
      return record[rule.field] === userId;
    case 'grant':
      return facts.hasGrant({ resource: rule.resource, resourceId: String(record.id), userId, flags: rule.flags });
    case 'through': {
      const related = facts.related(rule.collection, String(record[rule.field] ?? ''));
      return related !== undefined && allows(rule.rule, actor, related, facts);
    }
    case 'anyOf':
      return rule.rules.some((part) => allows(part, actor, record, facts));
    case 'allOf':
      return rule.rules.every((part) => allows(part, actor, record, facts));
    default:
      return false;
  }
}

/** The rule's answer where it is the same for every record, else undefined. */
export function decideWithoutRecord(rule: Rule, actor: Actor): boolean | undefined {
  switch (rule.kind) {
    case 'admin':
      return hasFullAccess(actor);
    case 'signedIn':
      return actor.kind !== 'guest';
    case 'nobody':
      return actor.kind === 'system';
    case 'anyOf': {
      const parts = rule.rules.map((part) => decideWithoutRecord(part, actor));
      if (parts.includes(true)) return true;
      return parts.every((part) => part === false) ? false : undefined;
    }
    case 'allOf': {
      const parts = rule.rules.map((part) => decideWithoutRecord(part, actor));
      if (parts.includes(false)) return false;
      return parts.every((part) => part === true) ? true : undefined;
    }
    case 'through':
      return actorUserId(actor) === '' && actor.kind !== 'system' ? false : throughAll(rule.rule, actor);
    default:
      return actorUserId(actor) === '' ? false : undefined;
  }
}

/** An admin passes a rule about a related record whatever that record is, also when it is missing. */
function throughAll(rule: Rule, actor: Actor): boolean | undefined {
  return decideWithoutRecord(rule, actor) === true && hasFullAccess(actor) ? true : undefined;
}
