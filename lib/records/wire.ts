import type { Collection } from './collection';
import type { Restricted, Shown } from './fields/access';
import type { Field } from './fields/field';
import type { RelationField } from './fields/relation';

/** What every record is answered with. Dates are `YYYY-MM-DD HH:MM:SS.mmmZ`, unset ones ''. */
export type BaseRecord = {
  id: string;
  collectionName: string;
  created: string;
  updated: string;
  /** What the viewer may do with this record. */
  can?: Record<string, boolean>;
};

type ValueOf<F> = F extends Field<infer Value> ? Value : never;
type Leaving<F> = { [K in keyof F]: F[K] extends Shown ? K : never }[keyof F];
type Always<F> = { [K in Leaving<F>]: F[K] extends Restricted ? never : K }[Leaving<F>];
type Expandable<F> = { [K in Leaving<F>]: F[K] extends RelationField<unknown, string> ? K : never }[Leaving<F>];
type Target<F, Records> =
  F extends RelationField<infer Value, infer C>
    ? C extends keyof Records
      ? Value extends readonly string[]
        ? Records[C][]
        : Records[C]
      : never
    : never;

/** The fields of a collection as they leave; what not everyone may see is optional, what was asked for expanded. */
type WireFields<F, Records> = { [K in Always<F>]: ValueOf<F[K]> } & {
  [K in Exclude<Leaving<F>, Always<F>>]?: ValueOf<F[K]>;
} & { expand?: { [K in Expandable<F>]?: Target<F[K], Records> } };

/** A record of a collection as the API answers it; `Records` holds those of all collections by name. */
export type WireRecord<C extends Collection, Records> = BaseRecord & WireFields<C['shape'], Records>;
