import { describe, expect, it } from 'vitest';
import { changedFields, isSame, mergeStored, RecordDraft } from './record-draft';

const base = { name: 'db', description: 'old', ports: [{ containerPort: '80' }] };

describe('isSame', () => {
  it('compares lists and objects by their parts', () => {
    expect(isSame([{ a: 1, b: ['x'] }], [{ b: ['x'], a: 1 }])).toBe(true);
    expect(isSame([{ a: 1 }], [{ a: 1, b: undefined }])).toBe(true);
    expect(isSame(['x'], ['x', 'y'])).toBe(false);
    expect(isSame({}, [])).toBe(false);
  });

  it('takes an empty number field for itself, and files for different ones', () => {
    expect(isSame(NaN, NaN)).toBe(true);
    expect(isSame(new Blob(['a']), new Blob(['a']))).toBe(false);
  });
});

describe('mergeStored', () => {
  it('takes what is new in untouched fields and leaves the touched ones', () => {
    const mine = { ...base, name: 'database' };
    const stored = { ...base, description: 'new', ports: [] };
    expect(mergeStored({ base, mine, stored })).toEqual({ taken: { description: 'new', ports: [] }, theirs: {} });
  });

  it('names what both have changed, unless both made the same of it', () => {
    const mine = { ...base, name: 'mine', description: 'same' };
    const stored = { ...base, name: 'theirs', description: 'same' };
    expect(mergeStored({ base, mine, stored })).toEqual({ taken: {}, theirs: { name: 'theirs' } });
  });

  it('takes nothing where nothing is new', () => {
    const mine = { ...base, ports: [] };
    expect(mergeStored({ base, mine, stored: structuredClone(base) })).toEqual({ taken: {}, theirs: {} });
  });
});

describe('a draft of a record', () => {
  const open = () => new RecordDraft(base, '1');

  it('shows the news of untouched fields and counts only the others as changed', () => {
    const draft = open();
    const mine = { ...base, name: 'mine' };
    const taken = draft.follow({ stored: { ...base, description: 'new' }, version: '2', mine });
    expect(taken).toEqual({ description: 'new' });
    expect(changedFields(draft.getState().base, { ...mine, ...taken })).toEqual(['name']);
  });

  it('waits for a choice where both have changed a field', () => {
    const draft = open();
    const mine = { ...base, name: 'mine' };
    expect(draft.follow({ stored: { ...base, name: 'theirs' }, version: '2', mine })).toEqual({});
    expect(draft.openFields(mine)).toEqual(['name']);
    expect(draft.getState().theirs).toEqual({ name: 'theirs' });
    draft.settle('name');
    expect(draft.openFields(mine)).toEqual([]);
    expect(changedFields(draft.getState().base, mine)).toEqual(['name']);
  });

  it('keeps a choice open while other fields get news, and follows what it is about', () => {
    const draft = open();
    const mine = { ...base, name: 'mine' };
    draft.follow({ stored: { ...base, name: 'theirs' }, version: '2', mine });
    draft.follow({ stored: { ...base, name: 'theirs', description: 'new' }, version: '3', mine });
    expect(draft.openFields({ ...mine, description: 'new' })).toEqual(['name']);
    draft.follow({ stored: { ...base, name: 'later', description: 'new' }, version: '4', mine });
    expect(draft.getState().theirs).toEqual({ name: 'later' });
  });

  it('needs no choice once both say the same', () => {
    const draft = open();
    draft.follow({ stored: { ...base, name: 'theirs' }, version: '2', mine: { ...base, name: 'mine' } });
    expect(draft.openFields({ ...base, name: 'theirs' })).toEqual([]);
  });

  it('does not go back to what is older than what it knows', () => {
    const draft = open();
    draft.follow({ stored: { ...base, name: 'new' }, version: '2', mine: base });
    expect(draft.follow({ stored: base, version: '1', mine: { ...base, name: 'new' } })).toEqual({});
    expect(draft.getState().base.name).toBe('new');
  });

  it('shows what became of what was sent, and keeps what was typed since', () => {
    const draft = open();
    draft.accept({ name: ' mine ', description: 'sent' });
    const mine = { ...base, name: ' mine ', description: 'typed since' };
    const taken = draft.follow({ stored: { ...base, name: 'mine', description: 'sent' }, version: '2', mine });
    expect(taken).toEqual({ name: 'mine' });
    expect(draft.openFields(mine)).toEqual([]);
    expect(changedFields(draft.getState().base, { ...mine, ...taken })).toEqual(['description']);
  });

  it('goes back to what is stored now when it is discarded', () => {
    const draft = open();
    draft.follow({ stored: { ...base, name: 'theirs' }, version: '2', mine: { ...base, name: 'mine' } });
    expect(draft.discard()).toEqual({ ...base, name: 'theirs' });
    expect(draft.getState().theirs).toEqual({});
  });
});
