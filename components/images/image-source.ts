'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import type { ImageRecord } from '@/components/data/types';
import { allOf, fieldHas, fieldIs } from '@/components/records/search/filter-text';
import { freeName, stemOf } from '@/lib/vocabulary/free-name';
import { toValues, type ImageValues } from './image-schema';

/** What a new image or template is made from. */
export interface ImageSource {
  record: ImageRecord;
  /** A name that none has on the host, as far as the viewer sees. */
  name: string;
}

const MOST = 500;

/** The image or template that the address names. */
export function useImageSource(id: string) {
  return useQuery({
    queryKey: ['image-source', id],
    queryFn: () => readSource(id),
    enabled: id !== '',
    retry: false,
    // What is typed begins with it once; it is not followed.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

async function readSource(id: string): Promise<ImageSource> {
  const pb = await ready();
  const record = await pb.collection('images').getOne<ImageRecord>(id);
  const names = await pb.collection('images').getList<ImageRecord>(1, MOST, {
    filter: allOf(fieldIs('build_on', record.build_on), fieldHas('name', stemOf(record.name))),
    fields: 'name',
  });
  return {
    record,
    name: freeName(
      record.name,
      names.items.map(({ name }) => name),
    ),
  };
}

/** The form of something new that is like its source. What is built gets a name of its own; secrets stay where they are. */
export function valuesFrom({ record, name }: ImageSource): ImageValues {
  const values = toValues(record);
  return {
    ...values,
    buildSecrets: [],
    name,
    dockerImageName: record.creationType === 'pullAnImage' ? values.dockerImageName : '',
  };
}
