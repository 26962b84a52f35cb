import { describe, expect, it } from 'vitest';
import type { PermissionRecord } from '@/components/data/types';
import { changesOf, rowsOf, rowsWith, withEdit, type PermissionRow } from './permission-draft';

const FLAGS = ['view', 'modify'].map((key) => ({ key, label: key, hint: '' }));

const record = (id: string, user: string, flags: Record<string, boolean>): PermissionRecord => ({
  id,
  collectionName: 'workspace_permissions',
  created: '',
  updated: '',
  user,
  group: '',
  ...flags,
});

const stored = () =>
  rowsOf(
    [record('p1', 'ann', { view: true, modify: false }), record('p2', 'ben', { view: true, modify: true })],
    FLAGS,
  );

const added: PermissionRow = {
  holder: { kind: 'user', id: 'cid', user: undefined },
  recordId: undefined,
  flags: { view: true, modify: false },
  isRemoved: false,
};

describe('a draft of permissions', () => {
  it('holds the flags of every stored permission', () => {
    expect(stored().map(({ holder, flags }) => [holder.id, flags])).toEqual([
      ['ann', { view: true, modify: false }],
      ['ben', { view: true, modify: true }],
    ]);
  });

  it('shows edits in the place of what is stored, and added people last', () => {
    const [ann] = stored();
    const edits = withEdit(withEdit({}, added), { ...ann!, flags: { view: true, modify: true } });
    expect(rowsWith(stored(), edits).map((row) => [row.holder.id, row.flags['modify']])).toEqual([
      ['ann', true],
      ['ben', true],
      ['cid', false],
    ]);
  });

  it('lets what others store through where nothing waits', () => {
    const [ann] = stored();
    const edits = withEdit({}, { ...ann!, isRemoved: true });
    const later = rowsOf([record('p1', 'ann', { view: true }), record('p2', 'ben', { view: false })], FLAGS);
    expect(rowsWith(later, edits)[1]).toMatchObject({ holder: { id: 'ben' }, flags: { view: false } });
  });

  it('says what is to be made, changed and taken away', () => {
    const [ann, ben] = stored();
    let edits = withEdit({}, added);
    edits = withEdit(edits, { ...ann!, flags: { view: true, modify: true } });
    edits = withEdit(edits, { ...ben!, isRemoved: true });
    const { created, updated, removed } = changesOf(stored(), edits);
    expect([created, updated, removed].map((rows) => rows.map((row) => row.holder.id))).toEqual([
      ['cid'],
      ['ann'],
      ['ben'],
    ]);
  });

  it('counts a flag that was set and taken back as no change', () => {
    const [ann] = stored();
    const { created, updated, removed } = changesOf(stored(), withEdit({}, { ...ann! }));
    expect([...created, ...updated, ...removed]).toEqual([]);
  });

  it('knows a group from a person', () => {
    const held = { ...record('p3', '', { view: true }), group: 'g', expand: { group: { name: 'Course' } } };
    const [row] = rowsOf([held as never], FLAGS);
    expect(row?.holder).toEqual({ kind: 'group', id: 'g', group: { name: 'Course' } });
  });

  it('forgets a person who was added and removed again', () => {
    expect(withEdit(withEdit({}, added), { ...added, isRemoved: true })).toEqual({});
  });
});
