import type { ReactNode } from 'react';
import type { CollectionName, Collections } from '@/components/data/types';
import type { RecordChoices } from './record-choices';

export interface ListColumn<Row> {
  id: string;
  header: string;
  /** What the record API sorts by; columns without one can't be sorted. */
  sortKey?: string;
  /** CSS width; the columns without one share what is left. */
  width?: string;
  /** Where it goes on small screens; hidden there unless said. */
  small?: 'name' | 'status';
  /** Narrower than this, the column is left out. */
  from?: 'lg' | 'xl' | '2xl';
  cell: (row: Row) => ReactNode;
}

export interface ListFilter {
  key: string;
  label: string;
  icon: ReactNode;
  options: { value: string; label: string }[];
  /** Records to choose from, beside the options. */
  choices?: RecordChoices<'users' | 'hosts'>;
  /** The filter expression of a chosen value, with its parameters as `{:name}`. */
  toFilter: (value: string) => { expression: string; params: Record<string, unknown> };
}

export interface BatchAction<Row> {
  key: string;
  label: string;
  icon: ReactNode;
  /** Whether this row may be acted on; the reason why not is told. */
  refusal: (row: Row) => string | undefined;
  run: (rows: Row[]) => void;
}

/** What decides which records a list shows. */
export interface ListNarrowing {
  searchFields: string[];
  baseFilter?: string;
  filters: ListFilter[];
}

export interface ListDefinition<Name extends CollectionName> extends ListNarrowing {
  collection: Name;
  title: string;
  searchLabel: string;
  expand: string;
  defaultSort: string;
  columns: ListColumn<Collections[Name]>[];
  rowActions?: (row: Collections[Name]) => ReactNode;
  rowName: (row: Collections[Name]) => string;
  isRowDim?: (row: Collections[Name]) => boolean;
  batch?: BatchAction<Collections[Name]>[];
  actions?: ReactNode;
  /** Between the filters and the table. */
  notice?: ReactNode;
  empty: { title: string; text: string; action?: ReactNode };
}
