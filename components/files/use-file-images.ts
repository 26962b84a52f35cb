'use client';

import { useRecordList } from '@/components/data/records';

/** Images that are named; the others are counted. */
const SHOWN = 20;

/** The images and image templates that a file is put into, as far as the viewer may see them. */
export function useFileImages(fileId: string) {
  const params = { page: 1, perPage: SHOWN, sort: 'name', filter: `files ~ '${fileId}'` };
  const { data, isPending } = useRecordList('images', params, { followsFilter: true });
  return { images: data?.items, more: (data?.totalItems ?? 0) - (data?.items.length ?? 0), isPending };
}
