/** Files that are looked through: where they are asked for, and what the viewer may do there. */
export interface FilePlace {
  /** As in `/api/workspace/…/files`. */
  api: string;
  /** The page of a folder. */
  hrefOf: (path: string) => string;
  mayUpload: boolean;
  /** Whether folders are made, and things renamed and removed. */
  mayChange: boolean;
  what: 'workspace' | 'volume';
}

export function downloadOf({ api }: FilePlace, path: string): string {
  return `${api}/download?path=${encodeURIComponent(path)}`;
}
