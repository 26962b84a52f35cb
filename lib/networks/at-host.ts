import 'server-only';
import { networksTable } from '@/db/schema/networks';
import { type HostResource, takeObservedResource, takeUnsupportedResource } from '@/lib/hosts/resource-link';
import { defineKind, news, type ReportSource } from '@/lib/hosts/link/kinds';
import { type ObservedNetwork, observedNetworkSchema } from '@/lib/protocol/calls';
import type { UnsupportedObject } from '@/lib/protocol/specs/desired';
import type { NetworkSpec } from '@/lib/protocol/specs/network';
import type { RowOf } from '@/lib/records/collection';
import type { WriteTransaction } from '@/lib/records/transaction';

const collection = { name: 'networks', table: networksTable };

/** Networks on the host link. */
export const networkKind = defineKind('network', {
  open: (spec: NetworkSpec) => spec,
  observed: news(observedNetworkSchema, takeObserved),
  unsupported: takeUnsupported,
});

function takeObserved(tx: WriteTransaction, observed: ObservedNetwork, from: ReportSource): void {
  takeObservedResource(tx, hostNetwork, { observed, from });
}

function takeUnsupported(tx: WriteTransaction, object: UnsupportedObject, from: ReportSource): void {
  takeUnsupportedResource(tx, hostNetwork, { object, from });
}

export const hostNetwork: HostResource<'network', RowOf<typeof networksTable>> = {
  kind: networkKind,
  collection,
  specOf: () => ({ driver: 'bridge' }),
  isUsedBy: ({ networks }, id) => (networks ?? []).includes(id),
};
