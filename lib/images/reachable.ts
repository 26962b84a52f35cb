import 'server-only';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import type { StoreReader } from '@/lib/records/transaction';
import { isReachableFrom } from '@/lib/vocabulary/image-reference';
import type { ImageRow } from './collection';

/** Why a host can't run an image; empty when it can. */
export function unreachableReason(image: ImageRow, host: HostRow, reader: StoreReader): string {
  if (isReachableFrom(image, host.id)) return '';
  const builtOn = reader.get(hosts, image.build_on)?.name ?? 'another host';
  return `Image ${image.name} was built on ${builtOn} and is not pushed to a registry, so host ${host.name} can't get it.`;
}
