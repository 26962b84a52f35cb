export interface ColumnNeed {
  id: string;
  /** Pixels that do, also where its content would take more. */
  enough: number;
  /** Pixels that all of its content takes. */
  natural: number;
  /** The highest is left out first when there is not room for all; 0 never is. */
  rank: number;
}

/** However long a text is, others get room before it has more than this. */
const MOST = 380;

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const needOf = ({ enough, natural }: ColumnNeed) => Math.min(enough, natural);

/** Widths of the columns that are shown in so much room, by id: each has enough for what it holds, the rest is shared. */
export function shareRoom(columns: ColumnNeed[], room: number): Record<string, number> {
  let shown = columns;
  const isTight = () => sum(shown.map(needOf)) > room;
  while (isTight()) {
    const least = Math.max(...shown.map(({ rank }) => rank));
    const last = shown.findLast(({ rank }) => rank === least);
    if (!last || least === 0) break;
    shown = shown.filter((column) => column !== last);
  }
  const needs = shown.map(needOf);
  const isCut = isTight();
  const first = isCut ? needs.map((need) => (need / sum(needs)) * room) : needs;
  const filled = isCut ? first : addWanted(first, shown, room);
  const rest = isCut ? 0 : room - sum(filled);
  return Object.fromEntries(
    shown.map(({ id }, index) => {
      const width = filled[index] ?? 0;
      return [id, Math.floor(width + (sum(filled) === 0 ? 0 : (rest * width) / sum(filled)))];
    }),
  );
}

/** Gives what is left to those whose content takes more: who lacks little gets it all, the others as much as one another. */
function addWanted(widths: number[], columns: ColumnNeed[], room: number): number[] {
  const filled = [...widths];
  let rest = room - sum(widths);
  const wants = columns
    .map((column, index) => ({ index, want: Math.max(0, Math.min(column.natural, MOST) - (widths[index] ?? 0)) }))
    .sort((a, b) => a.want - b.want);
  for (const [place, { index, want }] of wants.entries()) {
    const given = Math.min(want, rest / (wants.length - place));
    filled[index] = (filled[index] ?? 0) + given;
    rest -= given;
  }
  return filled;
}
