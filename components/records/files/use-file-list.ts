'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';

export interface FileEntry {
  name: string;
  kind: 'file' | 'folder' | 'link' | 'device' | 'other';
  size: number;
  /** Seconds since the Unix epoch. */
  changed: number;
  /** False where no path leads to it. */
  isNameWhole: boolean;
}

interface FileListing extends Omit<FileEntry, 'name' | 'isNameWhole'> {
  entries: FileEntry[];
  isWhole: boolean;
}

/** What lies in a folder. Looked at anew whenever it is shown. */
export function useFileList(api: string, path: string) {
  return useQuery({
    queryKey: filesKey(api, path),
    queryFn: async ({ signal }): Promise<FileListing> => {
      const query = new URLSearchParams({ path }).toString();
      return (await ready()).send(`${api}?${query}`, { method: 'GET', signal });
    },
    staleTime: 0,
    retry: false,
  });
}

export function filesKey(api: string, path: string) {
  return ['files', api, path] as const;
}
