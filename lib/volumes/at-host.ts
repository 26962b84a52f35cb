import 'server-only';
import { volumesTable } from '@/db/schema/volumes';
import { type HostResource, takeObservedResource, takeUnsupportedResource } from '@/lib/hosts/resource-link';
import { defineKind, news, type ReportSource } from '@/lib/hosts/link/kinds';
import { type ObservedVolume, observedVolumeSchema } from '@/lib/protocol/calls';
import type { UnsupportedObject } from '@/lib/protocol/specs/desired';
import type { VolumeSpec } from '@/lib/protocol/specs/volume';
import type { RowOf } from '@/lib/records/collection';
import type { WriteTransaction } from '@/lib/records/transaction';

const collection = { name: 'volumes', table: volumesTable };

/** Volumes on the host link. */
export const volumeKind = defineKind('volume', {
  open: (spec: VolumeSpec) => spec,
  observed: news(observedVolumeSchema, takeObserved),
  unsupported: takeUnsupported,
});

function takeObserved(tx: WriteTransaction, observed: ObservedVolume, from: ReportSource): void {
  takeObservedResource(tx, hostVolume, { observed, from });
}

function takeUnsupported(tx: WriteTransaction, object: UnsupportedObject, from: ReportSource): void {
  takeUnsupportedResource(tx, hostVolume, { object, from });
}

export const hostVolume: HostResource<'volume', RowOf<typeof volumesTable>> = {
  kind: volumeKind,
  collection,
  // The folder stays the first owner's: what is in it is theirs, whoever has the record later.
  specOf: ({ id, created_by, path_on_host }) => ({
    pathOnHost: path_on_host,
    ownerId: created_by || id,
    state: 'present',
  }),
  isUsedBy: ({ mounts }, id) => (mounts ?? []).some(({ volumeId }) => volumeId === id),
};
