import { stat } from 'node:fs/promises';

const MARKS = ['/.dockerenv', '/run/.containerenv'];
/** Whether the agent runs in a container, where it sees little of the machine. */
export async function isContained(): Promise<boolean> {
  const found = MARKS.map((mark) =>
    stat(mark).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).includes(true);
}
