import { describe, expect, it } from 'vitest';
import { shareRoom, type ColumnNeed } from './column-room';

const name: ColumnNeed = { id: 'name', enough: 180, natural: 700, rank: 0 };
const status: ColumnNeed = { id: 'status', enough: 200, natural: 150, rank: 0 };
const image: ColumnNeed = { id: 'image', enough: 180, natural: 260, rank: 1 };
const owner: ColumnNeed = { id: 'owner', enough: 150, natural: 120, rank: 3 };
const age: ColumnNeed = { id: 'age', enough: 100, natural: 90, rank: 2 };
const all = [name, status, image, owner, age];
const total = (widths: Record<string, number>) => Object.values(widths).reduce((sum, width) => sum + width, 0);

describe('the room of columns', () => {
  it('gives each what its content takes, and shares the rest', () => {
    const widths = shareRoom(all, 1400);
    expect(Object.keys(widths)).toEqual(['name', 'status', 'image', 'owner', 'age']);
    expect(widths.image).toBeGreaterThanOrEqual(260);
    expect(widths.owner).toBeGreaterThanOrEqual(120);
    expect(total(widths)).toBeGreaterThan(1390);
  });

  it('lets a long text have no more than others leave', () => {
    const widths = shareRoom(all, 800);
    expect(widths).toMatchObject({ status: 150, owner: 120, age: 90 });
    expect(widths.name).toBeGreaterThan(180);
    expect(widths.image).toBeGreaterThan(180);
    expect(total(widths)).toBeLessThanOrEqual(800);
  });

  it('gives all to a text that lacks little before long ones get more', () => {
    const widths = shareRoom([name, { ...owner, natural: 160 }, image], 560);
    expect(widths.owner).toBe(160);
    expect(widths.name).toBe(widths.image);
  });

  it.each([
    [719, ['name', 'status', 'image', 'age']],
    [599, ['name', 'status', 'image']],
    [509, ['name', 'status']],
    [200, ['name', 'status']],
  ])('leaves out the least important first, in %i pixels', (room, shown) => {
    const widths = shareRoom(all, room);
    expect(Object.keys(widths)).toEqual(shown);
    expect(total(widths)).toBeLessThanOrEqual(room);
  });

  it('leaves out the last of two that are as important', () => {
    expect(Object.keys(shareRoom([name, { ...age, rank: 3 }, owner], 300))).toEqual(['name', 'age']);
  });
});
