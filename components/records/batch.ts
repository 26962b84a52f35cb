import type { BatchAction } from './list-types';

export interface SortedAction<Row> {
  action: BatchAction<Row>;
  /** The rows it may be done to. */
  able: Row[];
  skipped: number;
  /** Why the others are skipped, each reason once. */
  reasons: string[];
}

/** Which of the rows each act may touch, and why not the others. */
export function sortBatch<Row>(rows: Row[], actions: BatchAction<Row>[]): SortedAction<Row>[] {
  return actions.map((action) => {
    const refusals = rows.map((row) => action.refusal(row));
    const reasons = [...new Set(refusals.filter((reason) => reason !== undefined))];
    const able = rows.filter((_, index) => refusals[index] === undefined);
    return { action, able, skipped: rows.length - able.length, reasons };
  });
}
