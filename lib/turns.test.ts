import { expect, test } from 'vitest';
import { createTurns, QueueFullError } from './turns';

test('runs no more at once than there is room for, in order, and refuses past the queue', async () => {
  const inTurn = createTurns(2, 3);
  const ends: (() => void)[] = [];
  const started: number[] = [];
  const work = (index: number) =>
    inTurn(async () => {
      started.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (index === 1) throw new Error('broken');
      return index;
    });
  const all = [0, 1, 2, 3, 4].map(work);
  const settled = Promise.allSettled(all);
  await expect(work(5)).rejects.toBeInstanceOf(QueueFullError);
  for (let count = 1; count <= 5; count += 1) {
    expect(started).toEqual([0, 1, 2, 3, 4].slice(0, count + 1));
    ends.shift()!();
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect((await settled).map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true]);
});
