'use client';

import { useTranslations } from 'next-intl';
import { useGivenFilter, type RecordChoices } from '@/components/records/record-choices';
import { allOf } from '@/components/records/search/filter-text';

/** The volumes of a host that the viewer may attach. */
export function useVolumeChoices(hostId: string): RecordChoices<'volumes'> {
  const t = useTranslations('pages.workspaces.volumes');
  return {
    collection: 'volumes',
    searchFields: ['name'],
    filter: allOf(`host = '${hostId}'`, useGivenFilter('volume', 'attach')),
    toOption: (volume) => ({
      value: volume.id,
      text: volume.name,
      detail: volume.path_on_host === '' ? t('named') : volume.path_on_host,
    }),
  };
}

/** The domains that workspaces of a host may have addresses under, as far as the viewer may give them. */
export function useDomainChoices(hostId: string): RecordChoices<'domains'> {
  return {
    collection: 'domains',
    searchFields: ['url'],
    filter: allOf(`host = '' || host = '${hostId}'`, useGivenFilter('domain', 'deploy')),
    toOption: (domain) => ({ value: domain.id, text: domain.url }),
  };
}

/** The networks of a host that the viewer may attach. */
export function useNetworkChoices(hostId: string): RecordChoices<'networks'> {
  return {
    collection: 'networks',
    searchFields: ['name'],
    filter: allOf(`host = '${hostId}'`, useGivenFilter('network', 'attach')),
    toOption: (network) => ({ value: network.id, text: network.name }),
  };
}
