import { actorUserId, hasFullAccess, type Actor } from './actor';
import type { GrantedResource, Rule } from './rules';

/** A record as rules see it: by wire name. */
export type RecordFacts = Readonly<Record<string, unknown>>;

/** What a rule may need beyond the record itself. */
export interface Facts {
  /** The grants on the resource that hold one of the flags and that the user holds, by name or through a group. */
  grantsHeld(grant: GrantQuestion): readonly RecordFacts[];
  isMember(groupId: string, userId: string): boolean;
  /** The record that a relation points to. */
  related(collection: string, id: string): RecordFacts | undefined;
}

export interface GrantQuestion {
  resource: GrantedResource;
  resourceId: string;
  userId: string;
  flags: readonly string[];
}

/** One thing that a rule rests on for somebody: why they may. */
export type Ground =
  | { readonly kind: 'admin' | 'signedIn' | 'owner' }
  /** The record is about this person. */
  | { readonly kind: 'self' }
  /** The record is about a group that they are in. */
  | { readonly kind: 'member'; readonly group: string }
  /** A permission of theirs, or of a group that they are in, as it is stored; and which of the asked flags it holds. */
  | { readonly kind: 'grant'; readonly grant: RecordFacts; readonly flags: readonly string[] };

/** Hears of each ground that is found; none is left out for having found another before. */
type Tell = (ground: Ground) => void;

/** Whether the rule is closed to everyone over the API. */
export function isClosed(rule: Rule): boolean {
  return rule.kind === 'nobody';
}

/** Whether the actor passes the rule for this record. */
export function allows(rule: Rule, actor: Actor, record: RecordFacts, facts: Facts): boolean {
  return holds(rule, { actor, record, facts });
}

/** Everything that lets the actor pass the rule for this record; nothing where they don't. */
export function groundsOf(rule: Rule, actor: Actor, record: RecordFacts, facts: Facts): Ground[] {
  const grounds: Ground[] = [];
  return holds(rule, { actor, record, facts, tell: (ground) => grounds.push(ground) }) ? grounds : [];
}

interface Question {
  actor: Actor;
  record: RecordFacts;
  facts: Facts;
  tell?: Tell;
}

/** The one reading of a rule for a record. Stops at the first answer, unless the grounds are to be told. */
function holds(rule: Rule, question: Question): boolean {
  const { actor, record, facts, tell } = question;
  const decided = decideWithoutRecord(rule, actor);
  if (decided === false || (decided === true && !tell)) return decided;
  const userId = actorUserId(actor);
  switch (rule.kind) {
    case 'admin':
    case 'signedIn':
      return found(true, { kind: rule.kind }, tell);
    case 'owner':
      return found(record.created_by === userId, { kind: 'owner' }, tell);
    case 'self':
      return found(record[rule.field] === userId, { kind: 'self' }, tell);
    case 'member': {
      const group = String(record[rule.field] ?? '');
      return found(group !== '' && facts.isMember(group, userId), { kind: 'member', group }, tell);
    }
    case 'grant': {
      const { resource, flags } = rule;
      const held = facts.grantsHeld({ resource, resourceId: String(record.id), userId, flags });
      if (tell)
        for (const grant of held) tell({ kind: 'grant', grant, flags: flags.filter((flag) => grant[flag] === true) });
      return held.length > 0;
    }
    case 'through': {
      const related = facts.related(rule.collection, String(record[rule.field] ?? ''));
      if (related === undefined) return decided === true && found(true, { kind: 'admin' }, tell);
      return holds(rule.rule, { ...question, record: related });
    }
    case 'anyOf':
      if (!tell) return rule.rules.some((part) => holds(part, question));
      return rule.rules.filter((part) => holds(part, question)).length > 0;
    case 'allOf':
      return holdsAll(rule.rules, question);
    case 'nobody':
      return decided === true;
  }
}

/** Grounds of a part count only where the other parts hold too. */
function holdsAll(rules: readonly Rule[], question: Question): boolean {
  const grounds: Ground[] = [];
  const tell = question.tell && ((ground: Ground) => void grounds.push(ground));
  if (!rules.every((part) => holds(part, { ...question, tell }))) return false;
  for (const ground of grounds) question.tell?.(ground);
  return true;
}

function found(isSo: boolean, ground: Ground, tell: Tell | undefined): boolean {
  if (isSo) tell?.(ground);
  return isSo;
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
