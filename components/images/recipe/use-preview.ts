'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import { useSettled } from '@/components/data/use-settled';
import type { ImageValues } from '../image-schema';

export interface Preview {
  dockerfile: string;
  files: { path: string; text: string; mode: number }[];
}

/** What the console makes of the lists of a form, a moment after the typing paused; an error where they have mistakes. */
export function usePreview(values: ImageValues, standalone: boolean) {
  const { baseImage, channels, environments, startupCommands, userConfiguration, files, filePaths } = values;
  const places = files.map((id) => filePaths[id] ?? '').filter(Boolean);
  const recipe = {
    baseImage,
    channels,
    environments,
    startupCommands,
    userConfiguration,
    filePaths: places,
    standalone,
  };
  const body = useSettled(JSON.stringify(recipe));
  return useQuery({
    queryKey: ['image-preview', body],
    queryFn: async () =>
      (await ready()).send<Preview>('/api/images/preview', { method: 'POST', body: JSON.parse(body) as object }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}
