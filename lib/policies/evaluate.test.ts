import { describe, expect, it } from 'vitest';
import { guest, system, type Actor } from './actor';
import { allows, decideWithoutRecord, type Facts } from './evaluate';
import { admin, allOf, anyOf, nobody, owner, self, signedIn, type Rule } from './rules';

const person: Actor = { kind: 'user', id: 'person', isAdmin: false };
const chief: Actor = { kind: 'user', id: 'chief', isAdmin: true };
const facts: Facts = { grantsHeld: () => [], isMember: () => false, related: () => undefined };

describe('rules of several parts', () => {
  it.each<[string, Rule, Actor, boolean | undefined]>([
    ['all hold', allOf(signedIn, admin), chief, true],
    ['one of all never holds', allOf(signedIn, nobody), person, false],
    ['one of all needs the record', allOf(signedIn, owner), person, undefined],
    ['one of any holds', anyOf(nobody, signedIn), person, true],
    ['none of any holds', anyOf(nobody, admin), person, false],
    ['one of any needs the record', anyOf(nobody, owner), person, undefined],
    ['a guest is nobody', allOf(signedIn, owner), guest, false],
    ['the console itself', anyOf(nobody), system, true],
  ])('%s', (_, rule, actor, decided) => expect(decideWithoutRecord(rule, actor)).toBe(decided));

  it('hold for a record as their parts do', () => {
    const record = { id: 'r', created_by: 'person', user: 'other' };
    expect(allows(allOf(owner, signedIn), person, record, facts)).toBe(true);
    expect(allows(allOf(owner, self('user')), person, record, facts)).toBe(false);
    expect(allows(anyOf(owner, self('user')), person, record, facts)).toBe(true);
  });
});
