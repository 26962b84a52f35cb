import type { ReactNode } from 'react';
import type { CollectionName, Collections } from '@/components/data/types';
import type { ListQuestion } from './list-address';
import type { RecordChoices } from './record-choices';
import type { SearchKey } from './search/search-filter';
import type { SearchTerm } from './search/search-terms';

export interface ListColumn<Row> {
  id: string;
  header: string;
  /** What the record API sorts by; columns without one can't be sorted. */
  sortKey?: string;
  /** Pixels that do for most of what it holds; it takes less where that is shorter. */
  enough?: number;
  /** The highest is left out first when there is not room for all; without one it always stays. */
  rank?: number;
  /** Where it goes on small screens; hidden there unless said. */
  small?: 'name' | 'status';
  cell: (row: Row) => ReactNode;
}

/** What the list of a chip's values is given. */
export interface FilterPickerProps {
  value: string;
  searchLabel: string;
  onPick: (value: string) => void;
}

export interface ListFilter {
  key: string;
  label: string;
  icon: ReactNode;
  options: { value: string; label: string }[];
  /** Records to choose from, beside the options. */
  choices?: RecordChoices<'users' | 'hosts'>;
  /** Instead of these: a list of its own. */
  picker?: (list: FilterPickerProps) => ReactNode;
  /** The same in the search box, as `key:value`. */
  term?: SearchTerm;
  /** The filter of a chosen value. */
  toFilter: (value: string) => string;
}

export interface BatchAction<Row> {
  key: string;
  label: string;
  icon: ReactNode;
  /** Whether this row may be acted on; the reason why not is told. */
  refusal: (row: Row) => string | undefined;
  /** What is asked once before it is done to these many. */
  question?: (count: number) => { title: string; text: string };
  /** How it is to be done, asked along with the question. */
  choices?: (rows: Row[]) => ReactNode;
  run: (rows: Row[]) => void | Promise<void>;
}

/** What decides which records a list shows. */
export interface ListNarrowing {
  searchFields: string[];
  baseFilter?: string;
  filters: ListFilter[];
  /** Keys of the search box beside those of the filters. */
  searchKeys?: SearchKey[];
}

export interface ListDefinition<Name extends CollectionName> extends ListNarrowing, ListQuestion<Name> {
  title: string;
  searchLabel: string;
  columns: ListColumn<Collections[Name]>[];
  rowActions?: (row: Collections[Name]) => ReactNode;
  rowName: (row: Collections[Name]) => string;
  isRowDim?: (row: Collections[Name]) => boolean;
  batch?: BatchAction<Collections[Name]>[];
  actions?: ReactNode;
  /** Between the filters and the table. */
  notice?: ReactNode;
  /** What a list without any record shows; `extra` stands below it, wide. */
  empty: { title: string; text: string; action?: ReactNode; extra?: ReactNode };
}
